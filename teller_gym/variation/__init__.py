"""Episode variations: shifted schemas, perturbed results, temporary errors, and available tools."""
