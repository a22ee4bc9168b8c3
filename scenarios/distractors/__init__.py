"""Tools that belong to no procedure: 45 financial and 198 general ones, shared by all scenarios."""
