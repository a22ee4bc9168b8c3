"""Other frameworks' forms of the environments."""
