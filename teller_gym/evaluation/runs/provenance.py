"""Provenance of a run, with one line in `provenance.jsonl` for each call that played episodes."""

from __future__ import annotations

import importlib.metadata
import platform
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import teller_gym
from teller_gym.base.withheld import NOT_KEPT

_BODY = "agent.extra_body"

PACKAGES = ("gymnasium", "msgspec", "numpy", "torch", "transformers", "peft", "vllm", "aiohttp")
"""Packages whose versions may affect an agent's behaviour."""


def provenance(command: list[str] | None = None, **settings: Any) -> dict[str, Any]:
    """Return this call's time, command line, settings, versions and git revision.

    Args:
        command: command line, by default that of the process.
        settings: JSON values that do not affect the episodes, such as the concurrency.
    """
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": [_public(word) for word in (sys.argv if command is None else command)],
        "settings": settings,
        "versions": versions(),
        "git": git_state(Path(teller_gym.__file__).resolve().parent),
    }


def _public(word: str) -> str:
    """Return a command-line argument without the value of `agent.extra_body`.

    That value may contain a secret.
    """
    key, equals, _ = word.partition("=")
    name = key.lstrip("+").strip()
    if not equals or not (name == _BODY or name.startswith(f"{_BODY}.")):
        return word
    return f"{key}={NOT_KEPT}"


def versions() -> dict[str, str]:
    """Return the versions of Python, this package and the installed packages in PACKAGES."""
    return {"python": platform.python_version(), "teller_gym": teller_gym.__version__, **_installed()}


@cache
def _installed() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


@cache
def git_state(folder: Path) -> dict[str, Any] | None:
    """Return the revision of the checkout that contains a folder, and if it has local changes.

    None is returned if there is no such checkout.
    """
    try:
        root = Path(_git(folder, "rev-parse", "--show-toplevel"))
        # An installed copy may be inside another project's checkout, whose revision is irrelevant.
        if not (root / "teller_gym" / "evaluation").is_dir():
            return None
        changed = bool(_git(folder, "status", "--porcelain", "--untracked-files=no"))
        return {"revision": _git(folder, "rev-parse", "HEAD"), "changed": changed}
    except (OSError, subprocess.SubprocessError):
        return None


def _git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=True,
        timeout=10,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout.strip()
