"""Office tasks: their definition, their verdicts, and the interface of office scenarios."""
