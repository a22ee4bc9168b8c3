"""What is graded for a task, and following an episode call by call."""
