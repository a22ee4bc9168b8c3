"""Core and auxiliary tools of the accounts scenario."""
