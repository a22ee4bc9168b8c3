"""Training tasks: seeds, scenarios and difficulty range."""
