"""One kind of work: SOP, graph, policy rules, template, tasks, and the scenario that binds them."""
