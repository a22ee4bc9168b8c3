"""Settings as Hydra writes them, read where Hydra need not be installed."""

from __future__ import annotations

from typing import Any

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import QuotedString

from teller_gym.base.errors import OptionError
from teller_gym.cli.overrides import Setting, parse_value, read_overrides

SETTINGS = {"env": Setting(str, ""), "n": Setting(int, ""), "ids": Setting(list, ""), "figure": Setting(bool, "")}
GROUPS = {"env": "", "agent": ""}


def read(*arguments: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    return read_overrides(arguments, SETTINGS, GROUPS, example="env=loans")


def test_settings_and_groups() -> None:
    settings, groups = read("env=loans", "n=5", "+env.sop=explicit", "agent.temperature=1e-1", "ids=[a,b]", "figure=no")
    assert settings == {"env": "loans", "n": 5, "ids": ["a", "b"], "figure": False}
    assert groups == {"env": {"sop": "explicit"}, "agent": {"temperature": 0.1}}


def test_values_may_hold_equal_signs_and_lists_need_no_brackets() -> None:
    assert read("env=a=b", "ids=x-1,x-2")[0] == {"env": "a=b", "ids": ["x-1", "x-2"]}
    assert read("ids=x-1")[0] == {"ids": ["x-1"]}
    assert read("n=null")[0] == {"n": None}
    assert read("env=null")[0] == read("env=~")[0] == {"env": None}
    assert read("env=no")[0] == {"env": "no"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("0.5", 0.5),
        ("1e-3", 0.001),
        ("True", True),
        ("null", None),
        ("", ""),
        ("abc", "abc"),
        ("2026-01-01", "2026-01-01"),
        ("'x y'", "x y"),
        ("[1,a,true]", [1, "a", True]),
        ("{a: 1}", {"a": 1}),
    ],
)
def test_values(text: str, value: Any) -> None:
    parsed = parse_value(text)
    assert (parsed, type(parsed)) == (value, type(value))


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("loans", "expected key=value, such as env=loans, got 'loans'"),
        ("=3", "expected key=value"),
        ("envv=loans", "did you mean 'env'"),
        ("mood.x=1", "is no setting"),
        ("n=many", "n: expected a whole number, got 'many'"),
        ("n=true", "expected a whole number"),
        ("n=2.5", "expected a whole number"),
        ("figure=3", "expected true or false"),
        ("env=", "got nothing"),
        ("agent.x=[", "expected a value"),
    ],
)
def test_mistakes(argument: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        read(argument)


def test_nothing_is_given_twice() -> None:
    with pytest.raises(OptionError, match="n is given twice"):
        read("n=1", "n=1")
    with pytest.raises(OptionError, match=r"env\.sop is given twice"):
        read("env.sop=a", "env.sop=b")


@pytest.mark.parametrize(
    "text",
    ["3", "-3", "0.5", "1e-3", "true", "False", "null", "abc", "2026-01-01", "'x y'", "[1,a,true]", "{a: 1}", ""],
)
def test_values_are_those_that_hydra_reads(text: str) -> None:
    by_hydra = OverridesParser.create().parse_override(f"key={text}").value()
    assert parse_value(text) == (by_hydra.text if isinstance(by_hydra, QuotedString) else by_hydra)
