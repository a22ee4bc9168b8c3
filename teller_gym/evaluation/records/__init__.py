"""Records of played episodes: their form, and reading and writing the folder of a run."""
