"""Training settings, one module per block."""
