"""Check with random weights that a recipe's longest rows fit on a card."""
