"""bots, clocks, caretakers, coaches, and several people at one device"""

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
    op.add_column("room", sa.Column("delay", sa.Integer(), server_default="0", nullable=False))
    op.add_column("holder", sa.Column("faces", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_table(
        "coach",
        sa.Column("room_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("former", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["room_id"], ["room.id"], name=op.f("fk_coach_room_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("room_id", "number", "person", name=op.f("pk_coach")),
    )
    op.add_column("seat", sa.Column("bot", sa.String(length=16), nullable=True))
    op.add_column("seat", sa.Column("kept", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("seat", "kept")
    op.drop_column("seat", "bot")
    op.drop_table("coach")
    op.drop_column("holder", "faces")
    op.drop_column("room", "delay")
    op.drop_column("room", "watch")
    op.drop_column("room", "pace")
