"""The kinds of work, a folder each."""
