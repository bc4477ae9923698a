"""ways in which people are told, and what was sent to them at the press of a button"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    op.create_table(
        "way",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("nonce", sa.String(length=16), nullable=False),
        sa.Column("confirmed", sa.Boolean(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_way")),
        sa.UniqueConstraint("nonce", name=op.f("uq_way_nonce")),
        sa.UniqueConstraint("person", "mark", name=op.f("uq_way_person_mark")),
    )
    op.create_index(op.f("ix_way_mark"), "way", ["mark"])
    op.create_table(
        "letter",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("person", sa.String(length=32), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letter")),
    )
    for column in ("at", "mark", "person"):
        op.create_index(op.f(f"ix_letter_{column}"), "letter", [column])


def downgrade() -> None:
    op.drop_table("letter")
    op.drop_table("way")
