"""Tools: a bank's tables, typed functions that read and write them, and parsing and running an agent's calls."""
