"""Parts that every bank scenario's generator draws: customers, jobs, accounts and watch lists.

Each scenario's generator draws its case and builds on these; solvers and experts use none of them. The order of draws
is part of every frozen case: adding, removing or moving a draw changes the cases of all seeds.
"""
