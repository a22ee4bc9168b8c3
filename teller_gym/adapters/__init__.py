"""Adapters for using the environments with other frameworks."""
