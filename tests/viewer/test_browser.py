"""The pages in a browser, with real clicks and keys."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from teller_gym.evaluation.episodes import Episode
from teller_gym.evaluation.rundir import load_run
from teller_gym.scenario import load_scenario
from teller_gym.viewer import serve_view, write_view
from teller_gym.viewer.path_taken import states
from tests.evaluation.samples import write_run
from tests.viewer.browsing import Pages, headless_chromium
from tests.viewer.hostile import ALL, HUGE, hostile_episodes

pytestmark = pytest.mark.browser

ESCAPE, DOWN = "\ue00c", "\ue015"
FILTER_MS = 100.0
"""That a list may work when a filter changes; waiting for a busy machine is not counted."""
TIMES = 10


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with headless_chromium(tmp_path_factory.mktemp("profile")) as chromium:
        yield chromium


@pytest.fixture(scope="module")
def records(played: dict[str, Path]) -> dict[str, list[Episode]]:
    return {name: load_run(path)[1] for name, path in sorted(played.items())}


@pytest.fixture(scope="module")
def written(played: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_view([played[name] for name in sorted(played)], tmp_path_factory.mktemp("view"))


@pytest.fixture(scope="module")
def address(written: Path) -> Iterator[str]:
    with serve_view(written.parent) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(params=["file", "served"])
def pages(browser: Any, written: Path, address: str, request: pytest.FixtureRequest) -> Iterator[Pages]:
    found = Pages(browser, written.as_uri() if request.param == "file" else address)
    found.complaints()
    yield found
    assert found.complaints() == []


@pytest.fixture
def filed(browser: Any, written: Path) -> Iterator[Pages]:
    found = Pages(browser, written.as_uri())
    found.complaints()
    yield found
    assert found.complaints() == []


def everything(records: dict[str, list[Episode]]) -> list[Episode]:
    return [one for run in records.values() for one in run]


def valid(episodes: list[Episode]) -> list[Episode]:
    return [one for one in episodes if one["status"] != "invalid"]


def test_filters_count_what_the_records_hold(pages: Pages, records: dict[str, list[Episode]]) -> None:
    many = everything(records)
    pages.open()
    assert pages.texts(".status") == [f"{len(many)} episodes of {len(many)}"]
    pages.choose("#f-run", "careless")
    pages.choose("#f-success", "no")
    kept = [one for one in valid(records["careless"]) if not one["success"]]
    assert 0 < len(kept) < len(records["careless"])
    assert pages.texts(".status") == [f"{len(kept)} episodes of {len(many)}"]
    assert len(pages.all("tbody tr")) == len(kept)
    mean = sum(one["score"] for one in kept) / len(kept)
    assert f"{mean:.3f}" in pages.texts(".totals dd")
    pages.choose("#f-error", "unknown_tool")
    assert len(pages.all("tbody tr")) == sum("unknown_tool" in one["error_counts"] for one in kept)
    pages.click("#reset")
    assert pages.texts(".status") == [f"{len(many)} episodes of {len(many)}"]


def test_words_and_scores_filter(filed: Pages, records: dict[str, list[Episode]]) -> None:
    filed.open()
    filed.type("#f-q", "CANNOT go")
    found = [one for one in everything(records) if one["trace"] and "cannot go" in one["trace"][-1]["action"].lower()]
    assert len(filed.all("tbody tr")) == len(found) > 0
    filed.click("#reset")
    filed.type("#f-q", "open_the_vault")
    used = [one for one in everything(records) if any(turn["tool"] == "open_the_vault" for turn in one["trace"])]
    assert len(filed.all("tbody tr")) == len(used) > 0
    filed.click("#reset")
    filed.type("#f-min", "0.3")
    filed.type("#f-max", "0.9")
    between = [one for one in valid(everything(records)) if 0.3 <= one["score"] <= 0.9]
    assert len(filed.all("tbody tr")) == len(between) > 0
    filed.type("#f-q", "no such thing")
    assert filed.texts("tbody") == ["No episode passes these filters."]


def test_a_link_brings_the_filters_back(pages: Pages, records: dict[str, list[Episode]]) -> None:
    pages.open()
    pages.choose("#f-stage", "2")
    pages.type("#f-q", "loans")
    pages.click("th.c-score button")
    shown = pages.texts("td.c-task")
    pages.until(lambda: pages.state() == {"stage": "2", "q": "loans", "sort": "score"})
    link = pages.browser.current_url
    pages.browser.get("about:blank")
    pages.browser.get(link)
    pages.until(lambda: pages.all("td.c-task"))
    assert pages.texts("td.c-task") == shown
    assert pages.js("return [...document.querySelectorAll('#f-q, #f-stage')].map((e) => e.value)") == ["loans", "2"]


def test_columns_sort_up_down_and_not_at_all(filed: Pages, records: dict[str, list[Episode]]) -> None:
    filed.open(run="careless")
    plain = filed.texts("td.c-task")
    orders = []
    for order in ("ascending", "descending", "none"):
        filed.click("th.c-score button")
        assert filed.all("th.c-score")[0].get_attribute("aria-sort") == order
        orders.append(filed.texts("td.c-score"))
    scores = sorted(one["score"] for one in valid(records["careless"]))
    invalid = ["–"] * (len(records["careless"]) - len(scores))
    assert orders[0] == [f"{score:.3f}" for score in scores] + invalid
    assert orders[1] == [f"{score:.3f}" for score in reversed(scores)] + invalid
    assert filed.texts("td.c-task") == plain


def test_an_episode_opens_turns_and_closes(pages: Pages, records: dict[str, list[Episode]]) -> None:
    first, second = records["expert"][:2]
    pages.open(run="expert")
    pages.click("td.c-task a")
    pages.heading(first["task_id"])
    assert len(pages.all("article.step")) == first["steps"]
    assert pages.texts(".position") == [f"1 of {len(records['expert'])}"]
    assert pages.texts("article.step h3") == [turn["tool"] for turn in first["trace"]]
    for key, task in (("j", second), ("k", first), ("\ue014", second), ("\ue012", first)):
        pages.press(key)
        pages.heading(task["task_id"])
    pages.click("#after")
    pages.heading(second["task_id"])
    pages.browser.back()
    pages.heading(first["task_id"])
    pages.press(ESCAPE)
    pages.until(lambda: pages.all("td.c-task"))
    assert pages.state() == {"run": "expert"}
    pages.click("tbody tr:nth-child(2) td.c-status")
    pages.heading(second["task_id"])


def test_folds_open_and_close(filed: Pages, records: dict[str, list[Episode]]) -> None:
    one = records["expert"][0]
    filed.open(view="episode", e=f"expert/{one['task_id']}/0")
    filed.click(".fold.prompt summary")
    filed.until(lambda: filed.all(".fold.prompt pre"))
    assert filed.texts(".fold.prompt pre")[0].startswith(one["messages"][0]["content"][:3000])
    filed.click(".fold.prompt .more")
    assert filed.texts(".fold.prompt pre")[0] == one["messages"][0]["content"]
    filed.click("#unfold")
    assert filed.all("#unfold")[0].get_attribute("aria-pressed") == "true"
    filed.until(lambda: len(filed.all("details.result[open] pre")) == one["steps"])
    results = filed.texts("details.result pre")
    assert [json.loads(text) for text in results] == [json.loads(turn["result"]) for turn in one["trace"]]
    squeezed = ["".join(text.split()) for text in results]
    assert squeezed == ["".join(turn["result"].split()) for turn in one["trace"]], "numbers stay as they were written"
    filed.click("#unfold")
    assert filed.all("details.result[open]") == []


def test_checkpoints_and_fields_tell_why(filed: Pages, records: dict[str, list[Episode]]) -> None:
    one = min(valid(records["careless"]), key=lambda one: one["score"])
    filed.open(view="episode", e=f"careless/{one['task_id']}/{one['trial']}")
    failed = [check for check in one["checkpoints"] if not check["passed"]]
    calls = [check["reason"] for check in failed if not check["checkpoint"].startswith("field:")]
    assert filed.texts(".checks .reason") == calls != []
    assert filed.texts(".big strong") == [f"{one['score']:.3f}"]
    assert len(filed.all(".fields tbody tr.no")) == len(failed) - len(calls)
    assert [step for step, turn in enumerate(one["trace"], 1) if turn["error"]] == [
        int(text) for text in filed.texts(".step.failed .n")
    ]


def test_the_graph_shows_what_became_of_each_tool(pages: Pages, records: dict[str, list[Episode]]) -> None:
    graph = load_scenario("loans").graph
    one = next(one for one in valid(records["careless"]) if len(set(states(one, graph.nodes).values())) >= 4)
    pages.open(view="episode", e=f"careless/{one['task_id']}/{one['trial']}", tab="graph")
    expected = {name: str(kind) for name, kind in states(one, graph.nodes).items()}
    shown = """
      const nodes = [...document.querySelectorAll('.canvas .node')];
      return Object.fromEntries(nodes.map((node) => [node.dataset.name, node.classList[1]]));"""
    assert pages.js(shown) == {name: kind for name, kind in expected.items() if kind != "unused"}
    pages.click("#whole")
    pages.until(lambda: pages.js(shown) == expected)
    assert len(pages.all(".canvas .edge")) == len(graph.edges)
    step = next(number for number, turn in enumerate(one["trace"], 1) if turn["original"] and not turn["error"])
    name = one["trace"][step - 1]["original"]
    pages.click(f".canvas .node[data-name='{name}']")
    pages.until(lambda: pages.all("article.step"))
    assert pages.js("return document.activeElement.id") == f"step-{step}"


def test_labels_stay_within_their_boxes(filed: Pages, records: dict[str, list[Episode]]) -> None:
    loose = """
      return [...document.querySelectorAll('.canvas .node')].filter((node) => {
        const box = node.querySelector('rect').getBBox();
        return [...node.querySelectorAll('text')].some((text) => {
          const at = text.getBBox();
          const [right, bottom] = [at.x + at.width - box.x - box.width, at.y + at.height - box.y - box.height];
          return at.x < box.x || right > 0 || at.y < box.y - 1 || bottom > 1;
        });
      }).map((node) => node.dataset.name);"""
    for name in ("everything", "careless"):
        one = records[name][0]
        filed.open(view="episode", e=f"{name}/{one['task_id']}/0", tab="graph", graph="whole")
        assert len(filed.all(".canvas .node")) >= 20
        assert filed.js(loose) == []


def test_stage_1_shows_answer_problems_and_both_graphs(pages: Pages, records: dict[str, list[Episode]]) -> None:
    one = records["graphs"][0]
    answer = one["graph"]
    assert answer is not None
    pages.open(view="episode", e=f"graphs/{one['task_id']}/0")
    assert pages.texts(".problems li") == answer["problems"] != []
    assert pages.texts(".step pre")[0] == one["trace"][0]["action"]
    assert len(pages.all(".term")) == len(one["reward_terms"])
    pages.click("#tab-graph")
    pages.until(lambda: pages.all(".canvas .edge"))
    graph = load_scenario("loans").graph
    gold, given = {(e.upstream, e.downstream) for e in graph.edges}, {(u, d) for u, d in answer["edges"]}
    for side, pairs in (("common", gold & given), ("missing", gold - given), ("added", given - gold)):
        drawn = pages.js(f"return [...document.querySelectorAll('.canvas .edge.in-{side}')].map((e) => e.dataset.edge)")
        assert set(drawn) == {" ".join(pair) for pair in pairs} != set()
    assert set(pages.texts(".canvas .node.in-added title")) == {
        f"{name}: only in the answer" for name in answer["nodes"] if name not in graph.nodes
    }


def test_two_runs_are_compared_and_their_first_divergence_is_found(
    pages: Pages, records: dict[str, list[Episode]]
) -> None:
    expert = {one["task_id"]: one for one in records["expert"]}
    pages.open()
    pages.click("#to-compare")
    pages.heading("Two runs")
    pages.choose("#run-a", "expert")
    pages.until(lambda: pages.state().get("a") == "expert")
    pages.until(lambda: len(pages.all("td.c-task")) == len(expert))
    pages.choose("#run-b", "careless")
    pages.choose("#show", "second is worse")
    worse = [
        one
        for one in valid(records["careless"])
        if one["trial"] == 0 and one["score"] < expert[one["task_id"]]["score"]
    ]
    pages.until(lambda: len(pages.all("td.c-task")) == len(worse))
    pages.choose("#order", "largest loss first")
    worst = min(worse, key=lambda one: one["score"] - expert[one["task_id"]]["score"])
    pages.until(lambda: pages.texts("td.c-task")[0] == worst["task_id"])
    pages.click("td.c-task a")
    pages.heading(worst["task_id"])
    own = [turn["action"] for turn in expert[worst["task_id"]]["trace"]]
    equal = 0
    for turn, action in zip(worst["trace"], own, strict=False):
        if not turn["action"].startswith("{") or turn["error"] or json.loads(turn["action"]) != json.loads(action):
            break
        equal += 1
    rows = pages.js("return [...document.querySelectorAll('.pair-row')].map((row) => row.className.trim().split(' '))")
    assert [row[1] for row in rows[:equal]] == ["same"] * equal
    assert [place for place, row in enumerate(rows) if "first" in row] == [equal]
    assert pages.texts("article[id^='left'] .n") == [str(n) for n in range(1, len(own) + 1)]
    assert pages.texts("article[id^='right'] .n") == [str(n) for n in range(1, worst["steps"] + 1)]
    pages.click("#to-divergence")
    assert pages.js("return document.activeElement.id") == "divergence"
    if len(worse) > 1:
        pages.press("j")
        pages.until(lambda: pages.texts(".position") == [f"2 of {len(worse)}"])
    pages.press(ESCAPE)
    pages.heading("Two runs")


def test_two_trials_of_a_task_can_be_compared(filed: Pages, records: dict[str, list[Episode]]) -> None:
    task = records["careless"][0]["task_id"]
    filed.open(view="episode", e=f"careless/{task}/0")
    options = filed.texts(".bar select option")
    filed.choose(".bar select", next(text for text in options if text.startswith("careless · trial 1")))
    filed.until(lambda: filed.all(".pair-row"))
    assert filed.state()["with"] == f"careless/{task}/1"


def test_episodes_that_do_not_exist_are_told(filed: Pages) -> None:
    for state in ({"view": "episode", "e": "no/such/0"}, {"view": "pair", "e": "a", "with": "b"}):
        filed.open(**state)
        assert "There is no such" in filed.texts("main")[0]
    filed.open(view="constructor", sort="__proto__", page="-3")
    assert filed.all("td.c-task")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_pages_fit_a_laptop_and_a_phone(
    filed: Pages, records: dict[str, list[Episode]], width: int, height: int
) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    filed.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    task, graph = records["careless"][0]["task_id"], records["graphs"][0]["task_id"]
    try:
        for state in (
            {},
            {"view": "episode", "e": f"careless/{task}/0"},
            {"view": "episode", "e": f"everything/{task}/0", "tab": "graph"},
            {"view": "episode", "e": f"graphs/{graph}/0"},
            {"view": "compare", "a": "expert", "b": "careless"},
            {"view": "pair", "e": f"expert/{task}/0", "with": f"careless/{task}/0"},
        ):
            filed.open(**state)
            assert filed.js("return document.documentElement.scrollWidth") <= width, state
    finally:
        filed.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_every_control_has_a_name(filed: Pages, records: dict[str, list[Episode]]) -> None:
    nameless = """
      return [...document.querySelectorAll('button, a, input, select, summary, [role]')].filter((e) =>
        !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length || e.matches('[role=status]'))
      ).map((e) => e.outerHTML);"""
    task = records["careless"][0]["task_id"]
    for state in ({}, {"view": "episode", "e": f"careless/{task}/0"}, {"view": "compare"}):
        filed.open(**state)
        assert filed.js(nameless) == []
    filed.open()
    filed.press("\ue004")
    assert filed.js("return document.activeElement.className") == "skip"
    filed.press("\ue007")
    assert filed.js("return document.activeElement.id") == "main"


def test_hostile_records_are_shown_as_text(browser: Any, tmp_path: Path) -> None:
    many = hostile_episodes()
    page = write_view([write_run(tmp_path / "a", many), write_run(tmp_path / "b", many)], tmp_path / "view")
    pages = Pages(browser, page.as_uri())
    pages.complaints()
    pages.open()
    assert len(pages.all("tbody tr")) == 2 * len(many)
    go = """
      const [number, view, other] = arguments;
      const [e, two] = [tellerView.rows[number].id, tellerView.rows[other].id];
      location.hash = tellerView.link({ view, e, with: view === 'pair' ? two : '' }, false);"""
    there = """
      const { view, e, with: two } = tellerView.state();
      const [shown, id] = [document.querySelector('#main').dataset.shown, tellerView.rows[arguments[0]].id];
      return view === arguments[1] && e === id && shown === `${view} ${e} ${two}`;"""
    for number, evil in enumerate((*ALL, HUGE)):
        for view in ("episode", "pair"):
            pages.js(go, number, view, number + len(many))
            pages.until(partial(pages.js, there, number, view))
            pages.js("for (const fold of document.querySelectorAll('details')) fold.open = true")
            assert pages.js("return document.querySelectorAll('main script, main img, main b').length") == 0
            expected = visible(evil)[:3000]
            pages.until(partial(among, expected, pages, "article pre"))
    pages.js("location.hash = tellerView.link({ tab: 'graph', view: 'episode', with: '' })")
    pages.until(lambda: "cannot be drawn" in pages.texts("main")[0])
    assert pages.js("return [window.broken, {}.broken]") == [None, None]
    pages.open(view="episode", e="a/huge/0")
    pages.click(".long .more")
    assert len(pages.texts("article pre")[0]) == len(HUGE)
    assert pages.complaints() == []


def visible(text: str) -> str:
    """The text with signs for what could not be seen, as the pages write it."""
    names = {code: chr(0x2400 + code) for code in range(0x20) if code not in (9, 10)}
    names |= {code: f"⟨U+{code:04X}⟩" for code in (0x202C, 0x202E, 0xD800, 0xDFFF)}
    return text.translate(names)


def among(text: str, pages: Pages, css: str) -> bool:
    return any(text in shown for shown in pages.texts(css))


@pytest.mark.parametrize("count", [1_000, 5_000])
def test_long_lists_stay_quick(browser: Any, records: dict[str, list[Episode]], tmp_path: Path, count: int) -> None:
    some = [one for one in records["careless"] + records["everything"] if one["trial"] == 0]
    small = [{**one, "trace": one["trace"][-2:], "messages": []} for one in some] if count > 1000 else some
    many = [{**small[i % len(small)], "trial": i // len(small), "task_id": f"t-{i % len(small)}"} for i in range(count)]
    page = write_view([write_run(tmp_path / "run", many)], tmp_path / "view")  # type: ignore[arg-type]
    pages = Pages(browser, page.as_uri())
    pages.open()
    assert pages.texts(".status") == [f"{count:,} episodes of {count:,}"]
    use = """
      const [css, value, times] = arguments;
      const field = document.querySelector(css);
      for (let i = 0; i < times; i += 1) {
        field.value = i % 2 ? '' : value;
        field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input'));
        document.body.offsetHeight;
      }"""
    for css, value in (("#f-q", "open_the_vault"), ("#f-success", "no")):
        before = pages.busy_ms()
        pages.js(use, css, value, TIMES)
        assert (pages.busy_ms() - before) / TIMES < FILTER_MS, css
    pages.click("#reset")
    pages.click(".pager button:last-child")
    assert pages.texts(".pager span")[0] == f"Page 2 of {count // 50}"
    pages.type("#f-q", "t-1")
    pages.click("td.c-task a")
    pages.heading("t-1")
    pages.press("j")
    pages.until(lambda: pages.texts(".position")[0].startswith("2 of"))
    assert pages.complaints() == []
