"""Adapters that offer the environments to other frameworks."""
