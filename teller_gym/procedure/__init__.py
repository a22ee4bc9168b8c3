"""Scenarios and their parts: SOP, graph, policy rules, template, tasks, expert and lapses."""
