"""The generator of savings requests."""
