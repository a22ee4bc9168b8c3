"""Meeting rooms of the bank's tower."""
