"""The settings of a training run, block by block."""
