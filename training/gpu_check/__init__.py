"""A check whether a recipe fits a card, with random weights at its longest rows."""
