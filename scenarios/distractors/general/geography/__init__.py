"""Countries, maps, distances and heights."""
