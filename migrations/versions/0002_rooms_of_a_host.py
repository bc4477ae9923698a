"""rooms are found by their host"""

from collections.abc import Sequence

from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_index(op.f("ix_room_host"), "room", ["host"])


def downgrade() -> None:
    op.drop_index(op.f("ix_room_host"), "room")
