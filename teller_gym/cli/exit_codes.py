"""Exit codes of the commands."""

OK = 0
FAILED = 1
"""Exit code if a check or a run failed, or nothing could be measured."""
USAGE = 2
"""Exit code if the command line is invalid."""
STOPPED = 3
"""Exit code if a limit stopped a run; the same command with a higher limit continues."""
STORAGE = 4
"""Exit code if writing to disk failed; once that is fixed, the same command continues."""
PAUSED = 5
"""Exit code if a training run saved its state and ended after SIGTERM or SIGUSR1; the same command continues."""
INTERRUPTED = 130
"""Exit code after Ctrl-C; it is 143 after SIGTERM and 138 after SIGUSR1."""
