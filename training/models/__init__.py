"""Loading and saving of models and tokenizers, and the tiny model, which is created on the fly."""
