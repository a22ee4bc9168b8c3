"""Weather and sky."""
