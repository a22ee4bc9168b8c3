"""Travel."""
