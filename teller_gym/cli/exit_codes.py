"""Exit codes of the commands."""

OK = 0
FAILED = 1
"""A check or a run failed, or nothing could be measured."""
USAGE = 2
"""The command line is invalid."""
STOPPED = 3
"""A limit stopped a run; the same command with a higher limit continues."""
STORAGE = 4
"""Writing to disk failed; once that is fixed, the same command continues."""
PAUSED = 5
"""After SIGTERM or SIGUSR1 a training saved its state and ended; the same command continues."""
INTERRUPTED = 130
"""Ended by Ctrl-C; the code is 143 after SIGTERM and 138 after SIGUSR1."""
