"""Planning a meeting."""
