"""What is in the database: tables, seats, keys, chat, and every action that was played, appended and numbered."""

from __future__ import annotations

import sqlalchemy as sa

schema = sa.MetaData()

boards = sa.Table(
    "boards", schema,
    sa.Column("hash", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(60), nullable=False),
    sa.Column("text", sa.LargeBinary, nullable=False),
    sa.Column("seen", sa.Float, nullable=False, index=True),
)  # fmt: skip
"""Map files of people, each once, by the hash of what is in it. `seen` is when somebody last brought one or opened a
table with it; one that no table plays goes some time after that.
"""

tables = sa.Table(
    "tables", schema,
    sa.Column("id", sa.String(20), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False, index=True),
    sa.Column("status", sa.String(10), nullable=False, index=True),
    sa.Column("edition", sa.String(40), nullable=False),
    sa.Column("board", sa.String(32), sa.ForeignKey("boards.hash"), index=True),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("seed", sa.String(40), nullable=False),
    sa.Column("salt", sa.String(64), nullable=False),
    sa.Column("watch", sa.String(64), nullable=False),
    sa.Column("engine", sa.String(40), nullable=False),
    sa.Column("generator", sa.String(40), nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("began", sa.Float),
    sa.Column("ended", sa.Float),
    sa.Column("rematch", sa.String(20)),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("runner", sa.String(20), index=True),
    sa.Column("listed_at", sa.Float, index=True),
)  # fmt: skip
"""One row a table; `seats` and `options` are what the table page shows. `version` counts the changes of the row, so
that of two processes only one makes the next. `runner` is the process that runs the table's clock and bots.
`listed_at` is when somebody was last seen at a table that anybody may find; it is empty for all others.
`board` is there where a table plays on a board that does not come with the package.
"""

actions = sa.Table(
    "actions", schema,
    sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("action", sa.Integer, nullable=False),
    sa.Column("bot", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("outcome", sa.Text),
)  # fmt: skip
"""A table's truth. The key (table, number) is unique, so nobody can append twice to the same state. `outcome` is what
chance gave, so that a replay that goes another way is noticed; tables of earlier versions have none.
"""

keys = sa.Table(
    "keys", schema,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("host", sa.Boolean, nullable=False),
)  # fmt: skip
"""Who holds which seats. Only hashes of the keys are kept."""

chat = sa.Table(
    "chat", schema,
    sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)  # fmt: skip

processes = sa.Table(
    "processes", schema,
    sa.Column("id", sa.String(20), primary_key=True),
    sa.Column("kind", sa.String(10), nullable=False),
    sa.Column("seen", sa.Float, nullable=False),
)  # fmt: skip
"""Processes that share a PostgreSQL, and when each was last alive by the database's clock."""

jobs = sa.Table(
    "jobs", schema,
    sa.Column("id", sa.String(20), primary_key=True),
    sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), nullable=False, unique=True),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("bot", sa.String(80), nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("seconds", sa.Float, nullable=False),
    sa.Column("state", sa.LargeBinary, nullable=False),
    sa.Column("names", sa.JSON, nullable=False),
    sa.Column("asked", sa.Float, nullable=False, index=True),
    sa.Column("taken_by", sa.String(20)),
    sa.Column("answer", sa.JSON),
)  # fmt: skip
"""Decisions that bots have to think about, for the workers; a table has one at a time. `state` is its seat's view."""

bans = sa.Table(
    "bans", schema,
    sa.Column("network", sa.String(50), primary_key=True),
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("note", sa.String(200), nullable=False),
)  # fmt: skip
"""Addresses and networks that may not use the server."""

real_tables = sa.Table(
    "real_tables", schema,
    sa.Column("id", sa.String(20), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False, index=True),
    sa.Column("edition", sa.String(40), nullable=False),
    sa.Column("host", sa.String(64), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("counted", sa.Boolean, nullable=False),
    sa.Column("running", sa.Boolean, nullable=False),
    sa.Column("first", sa.SmallInteger, nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("last_turn", sa.Integer),
)  # fmt: skip
"""Games on cardboard that people enter to have them counted. `host` is the hash of the opener's key. `version` counts
all changes, so that phones learn of them; `revision` those of this row alone, so that nobody overwrites what they have
not seen. `last_turn` is the number of the game's last turn, once it is known.
"""

real_players = sa.Table(
    "real_players", schema,
    sa.Column("table_id", sa.String(20), sa.ForeignKey("real_tables.id"), primary_key=True),
    sa.Column("seat", sa.SmallInteger, primary_key=True),
    sa.Column("holder", sa.String(64), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("colour", sa.SmallInteger, nullable=False),
    sa.Column("holdings", sa.JSON, nullable=False),
)  # fmt: skip
"""What each of their players has, by number, and the hash of the key that may change it."""
