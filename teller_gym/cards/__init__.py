"""Generates scenario cards: pages with a scenario's purpose, graph, sizes, outcomes, tokens and reference agents."""
