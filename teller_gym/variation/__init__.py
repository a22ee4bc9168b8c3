"""Variations of episodes from the frozen benchmark: schema, results, faults, and the choice of tools in play."""
