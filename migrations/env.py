"""Runs the migrations on the connection that app.database hands over."""

from alembic import context

import app.telling.models  # noqa: F401 its tables belong to the same schema
from app.rooms.models import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
