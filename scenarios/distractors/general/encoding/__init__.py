"""Encodings of texts, colours and codes."""
