"""What any bank scenario needs: ids, look-ups, the bank's calendar, and the tools that every branch has.

Scenarios build on it; experts and solvers share none of it.
"""
