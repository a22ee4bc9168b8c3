"""Many episodes in one process. What is written for speed, and would otherwise be plainer, stands in this room.

docs/reference/speed.md has a table of what each trick buys, here and in the code of a single step, and how it was
measured. A trick that buys under 5 % of a graded step goes.
"""
