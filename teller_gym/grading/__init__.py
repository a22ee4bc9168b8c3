"""Grading: the graded parts of a task, and following an episode call by call."""
