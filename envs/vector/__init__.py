"""Many episodes in one process. What is written for speed, and would otherwise be plainer, stands in this room."""
