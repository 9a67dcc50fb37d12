"""Several processes on one database: versions of rows, who runs a table, who is alive, what bots think about."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add columns and tables; games that go on belong to a process that is gone, so that the next one takes them."""
    op.add_column("tables", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("runner", sa.String(20)))
    op.create_index("ix_tables_runner", "tables", ["runner"])
    op.execute("UPDATE tables SET runner = 'gone' WHERE status = 'playing'")
    op.create_table(
        "processes",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), nullable=False, unique=True),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("bot", sa.String(80), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.Column("names", sa.JSON, nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.Column("taken_by", sa.String(20)),
        sa.Column("answer", sa.JSON),
    )
    op.create_index("ix_jobs_asked", "jobs", ["asked"])
