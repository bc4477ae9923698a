"""The one loop that acts when time passes. So far it clears away rooms that nobody uses."""

import asyncio
import logging
from typing import Final

from app.rooms.service import Rooms

_LOG: Final = logging.getLogger("valtavola.steward")
EVERY: Final = 60.0  # seconds


async def look_after(rooms: Rooms) -> None:
    while True:
        try:
            while await rooms.database.write(rooms.clear_away):
                pass
        except Exception as error:  # whatever it is, the steward goes on
            _LOG.warning("The steward cannot reach the database, trying again: %s", type(error).__name__)
        await asyncio.sleep(EVERY)
