"""How episodes may differ from the frozen benchmark: schema, results, faults, and which tools are in play."""
