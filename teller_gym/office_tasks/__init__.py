"""Office tasks: their definition, verdicts on them, and the interface of office scenarios."""
