"""Meaning of the exit status of a command."""

OK = 0
FAILED = 1
"""A check failed, a run broke down, or nothing could be measured."""
USAGE = 2
"""The command was not understood."""
STOPPED = 3
"""A limit stopped a run before its end; the same command with a higher one continues."""
STORAGE = 4
"""A disk did not take what was to be written; once it does, the same command continues."""
PAUSED = 5
"""After a SIGTERM or SIGUSR1 a training saved itself and ended; the same command continues."""
INTERRUPTED = 130
"""Ctrl-C ended it; after a SIGTERM it is 143, after a SIGUSR1 138."""
