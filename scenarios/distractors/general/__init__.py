"""Distractors from daily life and office work."""
