"""Spaces of free text, and samples for them."""
