"""Training tasks: their seeds, their mixture over scenarios, their band of difficulty."""
