"""a room may play on from a moment of another game"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("room", sa.Column("from_code", sa.String(16), nullable=True))
    op.add_column("room", sa.Column("from_seq", sa.Integer(), nullable=True))
    op.add_column("room", sa.Column("prefix", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    for name in ("prefix", "from_seq", "from_code"):
        op.drop_column("room", name)
