"""Tools of daily life and office work."""
