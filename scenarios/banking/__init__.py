"""Parts that every bank scenario shares: ids, look-ups, the bank's calendar, and common tools.

Scenarios build on these parts. Experts and solvers have separate rooms and share no code.
"""
