"""Playing evaluations: which episodes, by which players, on which machines, within which limits."""
