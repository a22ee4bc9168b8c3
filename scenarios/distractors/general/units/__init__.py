"""Units, scales and ways to write numbers."""
