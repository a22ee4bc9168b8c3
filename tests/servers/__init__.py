"""An OpenAI-compatible chat server that answers from a script, for tests."""
