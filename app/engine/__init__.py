"""The engine: a game is a pure function of a seed and a list of moves. Nothing here knows the web or a database."""
