"""Projects and training."""
