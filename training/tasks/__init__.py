"""Training tasks: their seeds, scenarios and range of difficulty."""
