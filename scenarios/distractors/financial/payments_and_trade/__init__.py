"""Payments and trade: codes, documents, orders."""
