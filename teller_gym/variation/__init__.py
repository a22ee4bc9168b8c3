"""Variations of episodes: shifted schemas, perturbed results, temporary errors, and the tools in play."""
