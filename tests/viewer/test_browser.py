"""List, episode, graphs and two runs side by side in a browser, with real clicks and keys."""

import json
from collections import Counter

import pytest

from teller_gym.evaluation.measures.root_causes import cause_of, consequences, root_cause
from teller_gym.evaluation.records.episode import Episode
from teller_gym.procedure.scenario import load_scenario
from teller_gym.viewer.path_taken import states
from tests.viewer.browsing import Pages, everything, valid

pytestmark = pytest.mark.browser

ESCAPE, RIGHT, LEFT = "\ue00c", "\ue014", "\ue012"


def test_filters_count_what_the_records_hold(filed: Pages, records: dict[str, list[Episode]]) -> None:
    many = everything(records)
    filed.open()
    assert filed.texts(".status") == [f"{len(many)} episodes of {len(many)}"]
    filed.choose("#f-run", "careless")
    filed.choose("#f-success", "no")
    kept = [one for one in valid(records["careless"]) if not one["success"]]
    assert 0 < len(kept) < len(records["careless"])
    assert filed.texts(".status") == [f"{len(kept)} episodes of {len(many)}"]
    assert len(filed.all("tbody tr")) == len(kept)
    mean = sum(one["score"] for one in kept) / len(kept)
    assert f"{mean:.3f}" in filed.texts(".totals dd")
    filed.choose("#f-error", "unknown_tool")
    assert len(filed.all("tbody tr")) == sum("unknown_tool" in one["error_counts"] for one in kept)
    filed.click("#reset")
    assert filed.texts(".status") == [f"{len(many)} episodes of {len(many)}"]


def test_ids_are_shown_whole(filed: Pages, records: dict[str, list[Episode]]) -> None:
    filed.open()
    assert any("-graph-validation-" in text for text in filed.texts("td.c-task"))
    is_cut = "cell.scrollWidth > cell.clientWidth + 1 || getComputedStyle(cell).textOverflow !== 'clip'"
    cells = f"[...document.querySelectorAll('.episodes td')].filter((cell) => {is_cut})"
    assert filed.js(f"return {cells}.map((cell) => cell.textContent)") == []
    assert filed.js("return document.documentElement.scrollWidth <= innerWidth")


def test_a_root_cause_filters_and_can_be_linked(filed: Pages, records: dict[str, list[Episode]]) -> None:
    causes = Counter(filter(None, map(cause_of, records["careless"])))
    name, count = max(causes.items(), key=lambda one: (one[1], one[0]))
    filed.open(run="careless", cause=name)
    assert len(filed.all("td.c-cause")) == count > 0
    assert set(filed.texts("td.c-cause")) == {name}
    assert filed.js("return document.querySelector('#f-cause').value") == name
    filed.click("td.c-task a")
    filed.until(lambda: filed.all(".fault"))
    assert filed.texts(".fault .name")[0].startswith(name)
    filed.click("#alike")
    filed.until(lambda: filed.all("td.c-cause"))
    assert filed.state() == {"run": "careless", "cause": name}


def test_the_root_cause_stands_at_its_step_and_in_the_panel(filed: Pages, records: dict[str, list[Episode]]) -> None:
    for one in valid(records["careless"]):
        root = root_cause(one)
        if root is not None and root["step"] < len(one["trace"]):
            filed.open(view="episode", e=f"careless/{one['task_id']}/{one['trial']}")
            assert filed.texts(".step .cause") == [f"Root cause {root['reason']}"]
            assert filed.texts(f"#step-{root['step'] + 1} .cause") != []
            assert len(filed.texts(".fault")) == 1
            after = consequences(one)
            assert any(text == f"Consequences · {len(after)}" for text in filed.texts(".panel summary")) == bool(after)
            break
    else:
        raise AssertionError("no careless episode failed at a step")


def test_each_turn_tells_its_time(filed: Pages, records: dict[str, list[Episode]]) -> None:
    one = records["expert"][0]
    filed.open(view="episode", e=f"expert/{one['task_id']}/0")
    told = filed.texts(".step .usage")
    assert len(told) == one["steps"]
    assert all(text.endswith((" ms", " s")) for text in told)


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
    for key, task in (("j", second), ("k", first), (RIGHT, second), (LEFT, first)):
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


def test_the_graph_shows_what_became_of_each_tool(filed: Pages, records: dict[str, list[Episode]]) -> None:
    graph = load_scenario("loans").graph
    one = next(one for one in valid(records["careless"]) if len(set(states(one, graph.nodes).values())) >= 4)
    filed.open(view="episode", e=f"careless/{one['task_id']}/{one['trial']}", tab="graph")
    expected = {name: str(kind) for name, kind in states(one, graph.nodes).items()}
    shown = """
      const nodes = [...document.querySelectorAll('.canvas .node')];
      return Object.fromEntries(nodes.map((node) => [node.dataset.name, node.classList[1]]));"""
    assert filed.js(shown) == {name: kind for name, kind in expected.items() if kind != "unused"}
    filed.click("#whole")
    filed.until(lambda: filed.js(shown) == expected)
    assert len(filed.all(".canvas .edge")) == len(graph.edges)
    step = next(number for number, turn in enumerate(one["trace"], 1) if turn["original"] and not turn["error"])
    name = one["trace"][step - 1]["original"]
    filed.click(f".canvas .node[data-name='{name}']")
    filed.until(lambda: filed.all("article.step"))
    assert filed.js("return document.activeElement.id") == f"step-{step}"


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
    for name in ("call_everything", "careless"):
        one = records[name][0]
        filed.open(view="episode", e=f"{name}/{one['task_id']}/0", tab="graph", graph="whole")
        assert len(filed.all(".canvas .node")) >= 20
        assert filed.js(loose) == []


def test_stage_1_shows_answer_problems_and_both_graphs(filed: Pages, records: dict[str, list[Episode]]) -> None:
    one = records["roughly"][0]
    answer = one["graph"]
    assert answer is not None
    filed.open(view="episode", e=f"roughly/{one['task_id']}/0")
    assert filed.texts(".problems li") == answer["problems"] != []
    assert filed.texts(".step pre")[0] == one["trace"][0]["action"]
    assert len(filed.all(".term")) == len(one["reward_terms"])
    filed.click("#tab-graph")
    filed.until(lambda: filed.all(".canvas .edge"))
    graph = load_scenario("loans").graph
    gold, given = {(e.upstream, e.downstream) for e in graph.edges}, {(u, d) for u, d in answer["edges"]}
    for side, pairs in (("common", gold & given), ("missing", gold - given), ("added", given - gold)):
        drawn = filed.js(f"return [...document.querySelectorAll('.canvas .edge.in-{side}')].map((e) => e.dataset.edge)")
        assert set(drawn) == {" ".join(pair) for pair in pairs} != set()
    assert set(filed.texts(".canvas .node.in-added title")) == {
        f"{name}: only in the answer" for name in answer["nodes"] if name not in graph.nodes
    }


def test_two_runs_are_compared_and_their_first_divergence_is_found(
    filed: Pages, records: dict[str, list[Episode]]
) -> None:
    expert = {one["task_id"]: one for one in records["expert"]}
    filed.open()
    filed.click("#to-compare")
    filed.heading("Two runs")
    filed.choose("#run-a", "expert")
    filed.until(lambda: filed.state().get("a") == "expert")
    filed.until(lambda: len(filed.all("td.c-task")) == len(expert))
    filed.choose("#run-b", "careless")
    filed.choose("#show", "second is worse")
    worse = [
        one
        for one in valid(records["careless"])
        if one["trial"] == 0 and one["score"] < expert[one["task_id"]]["score"]
    ]
    filed.until(lambda: len(filed.all("td.c-task")) == len(worse))
    filed.choose("#order", "largest loss first")
    worst = min(worse, key=lambda one: one["score"] - expert[one["task_id"]]["score"])
    filed.until(lambda: filed.texts("td.c-task")[0] == worst["task_id"])
    filed.click("td.c-task a")
    filed.heading(worst["task_id"])
    own = [turn["action"] for turn in expert[worst["task_id"]]["trace"]]
    equal = 0
    for turn, action in zip(worst["trace"], own, strict=False):
        if not turn["action"].startswith("{") or turn["error"] or json.loads(turn["action"]) != json.loads(action):
            break
        equal += 1
    rows = filed.js("return [...document.querySelectorAll('.pair-row')].map((row) => row.className.trim().split(' '))")
    assert [row[1] for row in rows[:equal]] == ["same"] * equal
    assert [place for place, row in enumerate(rows) if "first" in row] == [equal]
    assert filed.texts("article[id^='left'] .n") == [str(n) for n in range(1, len(own) + 1)]
    assert filed.texts("article[id^='right'] .n") == [str(n) for n in range(1, worst["steps"] + 1)]
    filed.click("#to-divergence")
    assert filed.js("return document.activeElement.id") == "divergence"
    if len(worse) > 1:
        filed.press("j")
        filed.until(lambda: filed.texts(".position") == [f"2 of {len(worse)}"])
    filed.press(ESCAPE)
    filed.heading("Two runs")


def test_two_trials_of_a_task_can_be_compared(filed: Pages, records: dict[str, list[Episode]]) -> None:
    task = records["careless"][0]["task_id"]
    filed.open(view="episode", e=f"careless/{task}/0")
    options = filed.texts(".bar select option")
    filed.choose(".bar select", next(text for text in options if text.startswith("careless · trial 1")))
    filed.until(lambda: filed.all(".pair-row"))
    assert filed.state()["with"] == f"careless/{task}/1"
