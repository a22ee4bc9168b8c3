"""The kitchen."""
