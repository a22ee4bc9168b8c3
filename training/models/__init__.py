"""Models and tokenizers: loading, saving, and the tiny model made on the spot."""
