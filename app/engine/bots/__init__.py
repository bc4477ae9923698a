"""Players that know a game by its contract alone, and of a table what their seat may know."""
