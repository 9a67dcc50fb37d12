"""Which chance and which rules a table was opened with, seeds of 128 bits, and what chance gave to each action.

Tables that are there already were opened with seeds of the quick chance stream, under version 2 of the rules.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; rows that are there say what was true for them.

    No table is made anew: SQLite would delete what refers to it.
    """
    op.add_column("tables", sa.Column("long_seed", sa.String(40), nullable=False, server_default=""))
    op.execute("UPDATE tables SET long_seed = seed")
    op.drop_column("tables", "seed")
    op.execute("ALTER TABLE tables RENAME COLUMN long_seed TO seed")
    op.add_column("tables", sa.Column("generator", sa.String(40), nullable=False, server_default="mwc64x-1"))
    op.add_column("tables", sa.Column("rules", sa.Integer, nullable=False, server_default="2"))
    op.add_column("actions", sa.Column("outcome", sa.Text))
