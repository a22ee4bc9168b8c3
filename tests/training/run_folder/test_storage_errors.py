"""Errors of the disk are recognized in every library's wording, and other errors are not."""

import errno
import os
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from teller_gym.base.errors import OptionError, StorageError
from teller_gym.training.run_folder.storage_errors import disk_fault, told


def write_plainly(path: Path) -> None:
    path.write_bytes(bytes(5000))


def write_with_torch(path: Path) -> None:
    import torch

    torch.save(torch.zeros(5000), path)


def write_with_safetensors(path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    save_file({"a": torch.zeros(5000)}, path)


def write_with_tokenizers(path: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import BPE

    words = {f"word{number}": number for number in range(5000)}
    Tokenizer(BPE(vocab=words, merges=[])).save(str(path))


@pytest.mark.parametrize("write", [write_plainly, write_with_torch, write_with_safetensors, write_with_tokenizers])
def test_a_disk_without_room_is_known_in_every_librarys_words(tmp_path: Path, write: Callable[[Path], None]) -> None:
    write(tmp_path / "before")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(StorageError) as caught, told(lambda: tmp_path, lambda: "the data are safe"):
            write(tmp_path / "after")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    text = str(caught.value)
    assert text.startswith(str(tmp_path)) and "cannot be written" in text and "\n" not in text
    assert "; the data are safe; " in text and text.endswith("the same command continues")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_what_a_disks_error_led_to_is_one(number: int) -> None:
    def failing() -> None:
        try:
            raise OSError(number, os.strerror(number), "/runs/x")
        except OSError as error:
            raise RuntimeError("the trainer gives up") from error

    with pytest.raises(RuntimeError) as caught:
        failing()
    fault = disk_fault(caught.value)
    assert fault is not None and (fault.errno, fault.filename) == (number, "/runs/x")


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(errno.ENOENT, "No such file", "x"), ConnectionError(errno.ECONNRESET, "reset"),
        RuntimeError("CUDA out of memory"), ValueError("5"), OSError("no such model on the hub"),
        RuntimeError("(os error 2)"), OptionError("seed: expected 0 to 99"),
    ],
)  # fmt: skip
def test_other_errors_pass(error: Any) -> None:
    assert disk_fault(error) is None
    with pytest.raises(type(error)), told(lambda: Path("/runs"), lambda: ""):
        raise error


def test_what_is_told_already_passes() -> None:
    def failing() -> None:
        try:
            raise PermissionError(errno.EACCES, "Permission denied", "/models/x")
        except OSError as error:
            raise OptionError("model x: no folder that can be read") from error

    with pytest.raises(OptionError, match="model x"), told(lambda: Path("/runs"), lambda: ""):
        failing()
