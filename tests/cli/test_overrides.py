"""Command-line settings and groups are parsed as by Hydra, or rejected with the allowed names."""

from typing import Any

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import QuotedString

from teller_gym.base.errors import OptionError
from teller_gym.cli.overrides import parse_value, read_overrides


def read(*arguments: str) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    return read_overrides(arguments, {"env": str, "n": int}, ("env", "agent"), example="env=loans")


def test_settings_and_groups() -> None:
    settings, groups = read("env=loans", "n=5", "+env.sop=explicit", "agent.temperature=1e-1")
    assert settings == {"env": "loans", "n": 5}
    assert groups == {"env": {"sop": "explicit"}, "agent": {"temperature": 0.1}}
    assert read("env=a=b")[0] == {"env": "a=b"}
    assert read("n=null")[0] == {"n": None}
    assert read("env=null")[0] == read("env=~")[0] == {"env": None}
    assert read("env=no")[0] == {"env": "no"}


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
        ("env=", "got nothing"),
        ("n=1 n=1", "n is given twice"),
        ("env.sop=a env.sop=b", r"env\.sop is given twice"),
        ("agent.x=[", "expected a value"),
    ],
)
def test_mistakes(argument: str, complaint: str) -> None:
    with pytest.raises(OptionError, match=complaint):
        read(*argument.split(" "))


VALUES = ["3", "-3", "0.5", "1e-3", "true", "True", "False", "null", "abc", "2026-01-01", "'x y'", "[1,a,true]"]


@pytest.mark.parametrize("text", ["", "{a: 1}", *VALUES])
def test_values_are_those_that_hydra_reads(text: str) -> None:
    by_hydra = OverridesParser.create().parse_override(f"key={text}").value()
    expected = by_hydra.text if isinstance(by_hydra, QuotedString) else by_hydra
    assert (parse_value(text), type(parse_value(text))) == (expected, type(expected))
