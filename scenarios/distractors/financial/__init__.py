"""Financial tools that no procedure of the bank asks for."""
