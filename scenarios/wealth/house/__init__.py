"""House rules, and office contents that are unrelated to the tasks."""
