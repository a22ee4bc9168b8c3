"""What a run needs of its cards before any is had: memory, time and disk of each phase."""
