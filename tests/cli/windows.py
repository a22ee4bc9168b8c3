"""Removes from a process everything that Python lacks on Windows, as far as possible on other systems.

The standard library and third-party packages, which support Windows, are imported first and keep their references.
"""

import contextlib
import importlib.abc
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

MODULES = ("fcntl", "resource", "termios", "pwd", "grp", "tty", "pty", "curses", "readline", "syslog", "crypt", "nis")
SIGNALS = (
    "SIGUSR1", "SIGUSR2", "SIGURG", "SIGKILL", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGSTOP", "SIGTSTP", "SIGCONT",
    "SIGCHLD", "SIGPIPE", "SIGWINCH", "SIGXCPU", "SIGXFSZ", "SIGPROF", "SIGVTALRM", "SIGIO", "SIGPOLL", "SIGTTIN",
    "SIGTTOU", "SIGTRAP", "SIGSYS", "SIGBUS", "ITIMER_REAL", "ITIMER_VIRTUAL", "ITIMER_PROF", "SIG_BLOCK",
    "SIG_SETMASK", "SIG_UNBLOCK", "alarm", "pause", "setitimer", "getitimer", "siginterrupt", "pthread_kill",
    "pthread_sigmask", "sigpending", "sigwait", "sigwaitinfo", "sigtimedwait",
)  # fmt: skip
FUNCTIONS = (
    "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_SYNC", "O_DSYNC", "O_PATH", "O_TMPFILE",
    "fork", "forkpty", "openpty", "register_at_fork", "setpgid", "getpgid", "setpgrp", "getpgrp", "getsid", "setsid",
    "killpg", "getuid", "geteuid", "getgid", "getegid", "getgroups", "setuid", "setgid", "sched_getaffinity",
    "sched_setaffinity", "sysconf", "pread", "pwrite", "preadv", "pwritev", "readv", "writev", "uname", "wait", "wait3",
    "wait4", "waitid", "WNOHANG", "fchmod", "chown", "fchown", "lchown", "statvfs", "fstatvfs", "mkfifo", "mknod",
    "nice", "getpriority", "getloadavg", "posix_spawn", "sendfile", "posix_fadvise", "posix_fallocate", "fdatasync",
    "sync", "chroot", "ctermid", "ttyname", "tcgetpgrp", "getxattr", "setxattr", "memfd_create", "pipe2", "EX_USAGE",
)  # fmt: skip
"""Functions to remove; `set_blocking` stays, since `set_wakeup_fd` needs it and Windows has it since Python 3.12."""

OTHERS = (
    "asyncio", "concurrent.futures.process", "multiprocessing.popen_spawn_posix", "multiprocessing.resource_tracker",
    "multiprocessing.synchronize", "subprocess", "webbrowser", "tempfile", "shutil", "http.server",
    "gymnasium", "hydra", "pydantic", "matplotlib.pyplot", "aiohttp", "jinja2", "h11", "uvicorn", "starlette", "torch",
    "transformers", "trl", "datasets", "wandb", "peft", "pettingzoo",
)  # fmt: skip


class _Missing(importlib.abc.MetaPathFinder):
    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def hide() -> None:
    """Remove the names and modules from this process permanently."""
    for name in OTHERS:
        with contextlib.suppress(ImportError):
            import_module(name)
    for whole, lost in ((os, FUNCTIONS), (signal, SIGNALS)):
        own = ModuleType(whole.__name__)
        own.__dict__.update(vars(whole))
        for module in list(sys.modules.values()):
            for key, value in list(vars(module).items()):
                if value is whole and module.__name__ not in ("__main__", __name__):
                    vars(module)[key] = own
        for name in lost:
            if hasattr(whole, name):
                delattr(whole, name)
    for name in list(sys.modules):
        if name.partition(".")[0] in MODULES:
            del sys.modules[name]
    sys.meta_path.insert(0, _Missing())
