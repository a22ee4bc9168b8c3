"""Editing of texts."""
