"""Links of the pages: every page of docs/ can be reached from README, and no link or anchor is dead."""

import re
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
INDEX = REPO / "docs" / "README.md"
PAGES = [
    REPO / "README.md",
    REPO / "CONTRIBUTING.md",
    *sorted((REPO / "docs").rglob("*.md")),
    *sorted((REPO / "results").rglob("*.md")),
]


def prose(page: Path) -> str:
    """Return the text of a page without its code blocks."""
    return re.sub(r"^ *```.*?^ *```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[tuple[Path, str]]:
    """Return targets and anchors of a page's relative links, pictures included; a folder means its README if any."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        found.append((target / "README.md" if (target / "README.md").is_file() else target, anchor))
    return found


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub generates for the headings of a page."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ +(.+)$", prose(page), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip()).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        repeats = sum(1 for one in found if re.fullmatch(re.escape(slug) + r"(-\d+)?", one))
        found.add(f"{slug}-{repeats}" if repeats else slug)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPO)))
def test_no_link_is_dead(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), f"{page.name} links {target}, which does not exist"
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{page.name} links #{anchor}, which {target.name} does not have"


def test_every_page_is_reachable_from_readme() -> None:
    reached: set[Path] = set()
    waiting = [REPO / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += [target for target, _ in links(page) if target.suffix == ".md" and target.is_file()]
    assert [str(page.relative_to(REPO)) for page in PAGES if page not in reached] == []


def test_the_index_links_each_page_once() -> None:
    assert INDEX in [target for target, _ in links(REPO / "README.md")]
    listed = [target for target, _ in links(INDEX) if (REPO / "docs") in target.parents]
    assert sorted(listed) == sorted(page for page in PAGES if (REPO / "docs") in page.parents and page != INDEX)
