"""PettingZoo environments."""
