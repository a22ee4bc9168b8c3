"""Reports a full, read-only or broken disk in one line.

It recognizes the error messages of all training libraries.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from teller_gym.base.errors import StorageError, TellerError
from teller_gym.base.files import is_storage, storage_text

_RUST = re.compile(r"\(os error (\d+)\)")
"""Operating system error as safetensors and tokenizers name it in their own exceptions."""
_TORCH = ("PytorchStreamWriter", "inline_container.cc", "iostream error")
"""Text in the RuntimeError that `torch.save` raises after a failed write, which gives no cause."""


@contextmanager
def told(path: Callable[[], Path], safe: Callable[[], str]) -> Iterator[None]:
    """Convert a disk error to a StorageError; other errors pass through.

    The error message names the file being written and the work that is safe.

    Args:
        path: returns the file for errors that name none.
        safe: returns a clause that says which work is safe.
    """
    try:
        yield
    except TellerError:
        # Its message is complete.
        raise
    except Exception as error:
        fault = disk_fault(error)
        if fault is None:
            raise
        raise StorageError(storage_text(path(), fault, safe())) from error


def disk_fault(error: BaseException | None) -> OSError | None:
    """Return the disk error that an exception is or was caused by, or None."""
    while error is not None:
        if isinstance(error, OSError) and is_storage(error):
            return error
        if match := _RUST.search(str(error)):
            named = OSError(int(match[1]), os.strerror(int(match[1])))
            if is_storage(named):
                return named
        if isinstance(error, RuntimeError) and any(word in str(error) for word in _TORCH):
            return OSError(f"torch could not write a file ({str(error).splitlines()[0]})")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return None
