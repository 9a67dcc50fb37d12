"""Tables that anybody on the server may find."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; no table of earlier versions is listed."""
    op.add_column("tables", sa.Column("listed_at", sa.Float))
    op.create_index("ix_tables_listed_at", "tables", ["listed_at"])
