"""Measures with random weights whether a recipe's longest rows fit a card."""
