"""Rooms: where friends meet. So far only what is stored."""
