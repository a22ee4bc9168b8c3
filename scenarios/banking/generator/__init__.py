"""The parts that every bank scenario's generator draws: customers with papers, work and accounts, and watch lists.

A scenario's own generator draws its case and builds on these; solvers and experts use none of it. The order of draws
is part of every frozen case: a draw more or less, or one earlier or later, makes other cases of all seeds.
"""
