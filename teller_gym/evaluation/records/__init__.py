"""Records of played episodes: their format, and reading and writing run folders."""
