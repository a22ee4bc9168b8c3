"""Gymnasium spaces of free text, and random samples for them."""
