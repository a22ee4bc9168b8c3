"""A bank's tables, typed tools that read and write them, and reading and running an agent's call."""
