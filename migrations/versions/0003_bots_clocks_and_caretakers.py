"""bots, clocks and caretakers"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.add_column("room", sa.Column("pace", sa.LargeBinary(), nullable=True))
    op.add_column("room", sa.Column("watch", sa.LargeBinary(), nullable=True))
    op.add_column("seat", sa.Column("bot", sa.String(length=16), nullable=True))
    op.add_column("seat", sa.Column("kept", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("seat", "kept")
    op.drop_column("seat", "bot")
    op.drop_column("room", "watch")
    op.drop_column("room", "pace")
