"""Sport and health."""
