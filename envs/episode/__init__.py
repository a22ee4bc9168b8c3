"""Episodes: a base class, a class for each kind of task, and their grades."""
