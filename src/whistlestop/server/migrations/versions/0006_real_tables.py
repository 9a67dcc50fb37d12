"""Real tables, which people enter to have them counted."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables and their players."""
    op.create_table(
        "real_tables",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("touched", sa.Float, nullable=False),
        sa.Column("edition", sa.String(40), nullable=False),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("running", sa.Boolean, nullable=False),
        sa.Column("first", sa.SmallInteger, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("last_turn", sa.Integer),
    )
    op.create_index("ix_real_tables_touched", "real_tables", ["touched"])
    op.create_table(
        "real_players",
        sa.Column("table_id", sa.String(20), sa.ForeignKey("real_tables.id"), primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("colour", sa.SmallInteger, nullable=False),
        sa.Column("holdings", sa.JSON, nullable=False),
    )
