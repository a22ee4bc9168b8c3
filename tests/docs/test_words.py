"""Wording of the pages: one way to install, every environment in README, every special term in the glossary."""

import re
from pathlib import Path

import pytest

import teller_gym  # noqa: F401 - registers the environments
from teller_gym.registration import ENVS

REPO = Path(__file__).parents[2]
OLD_WAYS = {
    r"\.venv/bin/teller-gym": "activate the virtual environment, then say teller-gym",
    r"\.venv/bin/python": "activate the virtual environment, then say python",
    r"pip install ['\"]?teller[-_]gym\b": "say pip install -e '.[…]', for the package is not published",
}
FOLDERS = ["docs", "results", "examples", "benchmarks", "teller_gym", "envs", "scenarios", "training", "configs"]
MESSAGES = {"teller_gym/base/errors.py"}
"""The only file that may name the published package, for its message about a missing extra."""

WORDS = (
    "lapse", "cheap agent", "made good", "core tool", "auxiliary tool", "expert", "solver", "oracle", "gate", "final",
    "revisable", "collateral damage", "checkpoint", "clean path", "distractor", "withheld branch", "policy shift",
    "schema shift", "root cause", "canary", "standard result", "invalid episode",
)  # fmt: skip


def read(path: str) -> str:
    return (REPO / path).read_text("utf-8")


def texts() -> list[str]:
    """Return the paths of all files with instructions: pages, examples, and code with its messages and docstrings."""
    found: list[str] = []
    for folder in FOLDERS:
        for path in sorted((REPO / folder).rglob("*")):
            if path.is_file() and path.suffix in (".md", ".py", ".sh", ".yaml", ".txt"):
                found.append(str(path.relative_to(REPO)))
    return ["README.md", "CONTRIBUTING.md", *found]


@pytest.mark.parametrize("way", OLD_WAYS)
def test_there_is_one_way_of_installing(way: str) -> None:
    found = [path for path in texts() if path not in MESSAGES and re.search(way, read(path))]
    assert found == [], OLD_WAYS[way]


def test_readme_and_contributing_say_how_to_install() -> None:
    for page in ("README.md", "CONTRIBUTING.md"):
        assert re.search(r"python3 -m venv \.venv && \. \.venv/bin/activate\s", read(page)), page
        assert re.search(r"^pip install -e '\.\[(eval|eval,dev)\]'", read(page), re.MULTILINE), page


def test_extras_that_pages_name_exist() -> None:
    declared = set(re.findall(r"^(\w+) =$", read("setup.cfg").partition("[options.extras_require]")[2], re.MULTILINE))
    for path in texts():
        for extras in re.findall(r"\.\[([a-z,]+)\]'", read(path)):
            assert set(extras.split(",")) <= declared, f"{path} names {extras}"


def test_readme_lists_every_environment() -> None:
    listed = set(re.findall(r"`(Teller-\w+-v\d+)`", read("README.md")))
    missing = [card.id for card in ENVS if card.id not in listed and "Graph" not in card.id]
    assert missing == []


@pytest.mark.parametrize("word", WORDS)
def test_the_glossary_explains(word: str) -> None:
    assert re.search(rf"^\| .*?\*{word}\*.*? \| \S", read("docs/start/glossary.md"), re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "docs/evaluate/reports.md", "docs/README.md"])
def test_the_glossary_is_linked(page: str) -> None:
    assert "glossary.md)" in read(page)
