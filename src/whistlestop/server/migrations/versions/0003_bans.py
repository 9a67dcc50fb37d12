"""Addresses and networks that may not use the server."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table; nobody is banned at first."""
    op.create_table(
        "bans",
        sa.Column("network", sa.String(50), primary_key=True),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("note", sa.String(200), nullable=False),
    )
