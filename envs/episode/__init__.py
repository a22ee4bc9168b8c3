"""Episodes: one base, a class for each kind of task, and the grades beside them."""
