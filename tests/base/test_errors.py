"""The command that installs an extra is correct in a clone and for an installed package."""

from pathlib import Path

import pytest

from teller_gym.base import errors
from teller_gym.base.errors import MissingExtraError


def test_in_a_clone_the_clone_is_installed_with_the_extra() -> None:
    said = str(MissingExtraError("a report", "eval"))
    assert said == "a report needs packages that are not installed: run  pip install -e '.[eval]'  in the clone"


def test_an_installed_package_gets_the_extra_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "site-packages" / "teller_gym" / "base" / "errors.py"))
    assert str(MissingExtraError("a report", "eval")).endswith("run  pip install 'teller-gym[eval]'")
    assert errors.install_command("eval", "dev") == "pip install 'teller-gym[eval,dev]'"
