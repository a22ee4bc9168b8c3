"""Geometry of shapes, solids, plans and surveys."""
