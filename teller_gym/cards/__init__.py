"""Cards: a page for each scenario with its purpose, graph, sizes, outcomes, token budgets and reference agents."""
