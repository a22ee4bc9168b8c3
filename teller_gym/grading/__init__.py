"""Grading of episodes: the graded parts of a task, and a grader that follows an episode call by call."""
