"""Help with words, texts and terms."""
