"""Bookkeeping of a small firm."""
