"""Boards of people's own."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the column; tables of earlier versions play on boards of the package."""
    op.create_table(
        "boards",
        sa.Column("hash", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_index("ix_boards_seen", "boards", ["seen"])
    # in SQL that both databases know: Alembic would make the whole table anew for SQLite, away from under its actions
    op.execute("ALTER TABLE tables ADD COLUMN board VARCHAR(32) REFERENCES boards (hash)")
    op.create_index("ix_tables_board", "tables", ["board"])
