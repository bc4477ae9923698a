"""Pages. Thin: what may be done and seen is decided elsewhere."""
