"""The parts that every bank scenario shares: ids, look-ups, the bank's calendar, and common tools.

Scenarios build on it; experts and solvers share none of it.
"""
