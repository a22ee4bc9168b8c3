"""One folder a scenario: SOP, graph, policy, template, tools, expert, solver, generator and frozen instances.

Scenarios are found by the name of their folder (`teller_gym.load_scenario("loans")`); the core imports none of them
by itself. Documents and data are read through `importlib.resources`.
"""
