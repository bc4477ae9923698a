"""Rooms: where friends meet. What is stored, who may do what, and every decision about it."""
