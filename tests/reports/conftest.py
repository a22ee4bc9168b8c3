"""Fixture that skips the figures of a report, which take seconds to draw."""

import pytest

from teller_gym.reports import figures


@pytest.fixture
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "FIGURES", {})
