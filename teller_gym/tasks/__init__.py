"""Frozen tasks on disk, generated tasks, the difficulty of tasks, and making frozen files."""
