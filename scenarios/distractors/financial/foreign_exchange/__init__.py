"""Foreign exchange at the counter."""
