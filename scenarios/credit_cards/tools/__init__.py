"""Core and auxiliary tools of the credit card scenario."""
