"""Chemistry and physics."""
