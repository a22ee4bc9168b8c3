"""Counts and warnings of cut answers, silently cut prompts, malformed calls and episodes that end without a review."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from teller_gym.agents.base import Prices, Reply
from teller_gym.evaluation import Report, evaluate, load_report
from teller_gym.evaluation.measures.answers import LIKELY_CAUSE, measure_answers, stopping_cut
from teller_gym.evaluation.measures.mistakes import Mistake, kind_of
from teller_gym.evaluation.measures.report import make_report
from teller_gym.evaluation.measures.root_causes import cause_of, consequences, root_cause
from teller_gym.evaluation.records.episode import Episode, Kind, Status, Turn
from teller_gym.evaluation.records.run_folder import load_run
from teller_gym.reports import figures, write_report
from teller_gym.tools.reading import FORMS, malformed_form
from tests.evaluation.samples import config, episode, fault, turn


@pytest.fixture(autouse=True)
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the figures, which take seconds to draw."""
    monkeypatch.setattr(figures, "FIGURES", {})


LOANS = "Teller-Loans-v0"
READ = '{"name": "get_application_data", "arguments": {"application_id": "%s"}}'
MISSING = "verify_identity missing"


class Talks:
    """A dialogue agent that gives the same replies in every episode, with %s replaced by the case's id."""

    name = "talks"
    prices = Prices(2.0, 10.0)

    def __init__(self, *replies: tuple[str, dict[str, Any]]) -> None:
        self.replies = replies

    def open(self, messages: Sequence[dict[str, Any]], tools: Sequence[dict[str, Any]], seed: int) -> Any:
        case = next(word.strip(".,") for word in messages[1]["content"].split() if word.startswith("LA-"))
        return _Chat([(text.replace("%s", case), note) for text, note in self.replies])

    async def aclose(self) -> None:
        """Do nothing, since nothing is open."""


class _Chat:
    def __init__(self, replies: list[tuple[str, dict[str, Any]]]) -> None:
        self._replies = replies

    async def answer(self, results: Sequence[str]) -> Reply:
        text, note = self._replies.pop(0)
        return Reply((text,), {"prompt": 1000, "completion": 100}, note)


CUT = {"finish_reason": "length"}


def root_causes(report: Report) -> list[str]:
    assert report.main.failures is not None
    return [cause.name for cause in report.main.failures.causes if cause.episodes]


def play(folder: Path, *replies: tuple[str, dict[str, Any]], **options: Any) -> Report:
    return evaluate(Talks(*replies), LOANS, n=2, run_dir=folder, **{"progress": False, **options})


def test_an_answer_that_was_cut_is_the_root_cause(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = play(tmp_path / "run", (READ, {"finish_reason": "stop"}), ("Let me think about", CUT), progress=True)
    said = capsys.readouterr().err
    assert "an answer was cut by its token limit" in said, "warned of while the run goes on"
    assert "2 answers cut by their token limit" in said.splitlines()[-1], "and counted"
    assert root_causes(report) == ["answer cut by its token limit"]
    assert report.main.failures is not None
    assert report.main.failures.causes[0].example is not None and report.main.failures.causes[0].example.step == 2
    assert any(cause.name == MISSING and cause.later for cause in report.main.failures.causes)
    assert (report.errors["cut_answer"].value, report.main.answers.cut, report.main.answers.cut_in) == (1.0, 2, 2)
    table = report.table()
    assert "CUT ANSWERS: 2 answers of 2 episodes reached the token limit" in "\n".join(table.splitlines()[:4])
    assert "answer cut by its token limit" in table
    page = write_report([tmp_path / "run"], tmp_path / "report", view=False).read_text()
    assert "CUT ANSWERS: 2 answers" in page and "answer cut by its token limit" in page and "cut answers" in page
    assert report.to_dict()["stages"]["2"]["answers"]["cut"] == 2
    assert {kind_of(one) for one in load_run(tmp_path / "run")[1]} == {Mistake.FORM}


@pytest.mark.parametrize("reason", ["length", "max_tokens", "MAX_TOKENS", "FINISH_REASON_LENGTH"])
def test_every_vendor_s_word_for_it_counts(reason: str) -> None:
    one = trace_of((Kind.RESPONSE, {"finish_reason": reason}), faults=[fault("missing_call", "look", step=1)])
    assert cause_of(one) == "answer cut by its token limit"
    assert cause_of(trace_of((Kind.RESPONSE, {"finish_reason": "stop"}), faults=one["faults"])) == "look missing"


def trace_of(*turns: tuple[str, dict[str, Any]], **values: Any) -> Episode:
    """Return an episode whose turns are given by their kind and the notes on the model's answer."""
    error = {"kind": "malformed", "message": "no", "field": None}
    trace: list[Turn] = [
        {**turn(kind), "model": model, "error": error if kind == Kind.MALFORMED else None} for kind, model in turns
    ]
    return episode(trace=trace, **values)


FINE: tuple[str, dict[str, Any]] = (Kind.CALL, {"finish_reason": "tool_calls"})
LOST: tuple[str, dict[str, Any]] = (Kind.MALFORMED, CUT)


@pytest.mark.parametrize(
    ("turns", "step"),
    [
        ([LOST], 0),
        ([FINE, LOST], 1),
        ([FINE, LOST, LOST, LOST], 1),
        ([LOST, FINE], None),  # the episode continued, so a later failure has another cause
        ([LOST, FINE, LOST], 2),
        ([FINE], None),
        ([FINE, (Kind.CALL, CUT), (Kind.CALL, {})], 1),  # the last call belongs to the cut answer
    ],
)
def test_the_first_cut_answer_after_which_nothing_came_through(turns: Any, step: int | None) -> None:
    assert stopping_cut(trace_of(*turns)) == step


def test_what_went_wrong_before_the_cut_answer_stays_the_cause() -> None:
    early, late = fault("wrong_value", "look", "id", step=0), fault("missing_call", "submit", step=2)
    assert cause_of(trace_of(FINE, LOST, faults=[early, late])) == "look.id wrong"
    one = trace_of(FINE, LOST, faults=[late])
    assert (cause_of(one), consequences(one)) == ("answer cut by its token limit", [late])
    assert root_cause(trace_of(FINE, LOST, success=True)) is None


def test_the_end_without_a_review_has_a_kind_and_a_cause_of_its_own(tmp_path: Path) -> None:
    report = play(tmp_path / "run", (READ, {}), ("I am done.", {}))
    assert root_causes(report) == ["ended without review"]
    assert report.errors["ended_without_review"].value == 1.0
    rows = {line[:21].strip(): line[21:].split()[0] for line in report.table().splitlines() if line[21:].split()}
    assert rows["ended without review"] in ("2", "100")
    assert "ended without review" in write_report([tmp_path / "run"], tmp_path / "report", view=False).read_text()
    assert {kind_of(one) for one in load_run(tmp_path / "run")[1]} == {Mistake.TOOL}


def test_whoever_filed_a_review_has_not_ended_without(tmp_path: Path) -> None:
    expert = evaluate("expert", LOANS, n=2, progress=False)
    deny = evaluate("always_deny", LOANS, n=4, progress=False)
    assert expert.errors["ended_without_review"].value == deny.errors["ended_without_review"].value == 0.0
    assert evaluate("noop", LOANS, n=2, progress=False).errors["ended_without_review"].value == 1.0
    office = evaluate("noop", "Teller-Wealth-v0", n=2, progress=False)
    assert office.errors["ended_without_review"].value == 0.0, "office work has no review"


def test_a_full_context_is_no_end_of_the_model_s_making(tmp_path: Path) -> None:
    report = play(tmp_path, (READ, {}), ("The chat is full.", {"context_end": "stop"}))
    assert root_causes(report) == ["context full"]
    assert report.errors["ended_without_review"].value == 0.0


def test_silently_cut_prompts_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = {"prompt_cut": {"sent": 17000, "counted": 4096}}
    report = play(tmp_path / "run", (READ, told), ("I am done.", told), progress=True)
    assert "4 prompts cut by the server" in capsys.readouterr().err.splitlines()[-1]
    assert (report.main.answers.prompt_cut, report.main.answers.prompt_cut_in) == (4, 2)
    assert "CUT PROMPTS: the server read only a part of 4 prompts of 2 episodes" in report.table()
    assert report.errors["cut_prompt"].value == 1.0
    assert "cut prompts" in write_report([tmp_path / "run"], tmp_path / "report", view=False).read_text()


MALFORMED = [
    '<\uff5cDSML\uff5cfunction_calls><\uff5cDSML\uff5cinvoke name="get_application_data"></\uff5cDSML\uff5cinvoke>',
    '{"name": "get_application_data", "arguments": {',
]


def malformed(*actions: str, model: dict[str, Any] | None = None) -> Episode:
    turns = [(Kind.MALFORMED, model or {}) for _ in actions]
    one = trace_of(*turns, error_counts={"malformed": len(actions)})
    for each, action in zip(one["trace"], actions, strict=True):
        each["action"] = action
    return one


def test_malformed_calls_are_counted_by_form_with_the_likely_cause() -> None:
    forms = [malformed_form(action) for action in MALFORMED]
    assert set(forms) <= set(FORMS) and len(set(forms)) == 2
    run = [{**malformed(*MALFORMED, MALFORMED[0]), "task_id": f"t-{i}"} for i in range(2)]
    report = make_report(config(run), run, {})  # type: ignore[arg-type]
    assert report.main.answers.malformed == {forms[0]: 4, forms[1]: 2}
    table = report.table()
    assert f"MALFORMED CALLS: 6, by form: {forms[0]} 4, {forms[1]} 2" in table
    assert f"Likely cause of {forms[0]}: {LIKELY_CAUSE}" in table, "and not of what the model itself got wrong"
    assert FORMS[forms[0]] in table


def test_calls_in_cut_answers_and_what_servers_say_are_forms_of_their_own() -> None:
    cut, server = malformed(MALFORMED[1], model=CUT), malformed("", model={"finish_reason": "MALFORMED_FUNCTION_CALL"})
    assert measure_answers([cut, server]).malformed == {"cut": 1, "server": 1}
    assert LIKELY_CAUSE not in "\n".join(measure_answers([cut, server]).lines())


def test_where_nothing_is_odd_nothing_is_said() -> None:
    report = evaluate("expert", LOANS, n=2, progress=False)
    assert report.main.answers.lines() == []
    for word in ("CUT", "MALFORMED", "invalid as failures"):
        assert word not in report.table() + report.summary()


def test_what_all_of_it_cost_is_told_at_the_end(tmp_path: Path) -> None:
    report = play(tmp_path, (READ, {}), ("I am done.", {}))
    # 2 episodes with 2 answers of 1,000 and 100 tokens each.
    assert report.main.tokens == {"prompt": 4000, "completion": 400}
    assert report.main.usd == pytest.approx((4000 * 2 + 400 * 10) / 1e6)
    assert report.summary().splitlines()[-1] == "cost: 0.01 USD: 4,000 prompt tokens, 400 completion tokens"
    assert load_report(tmp_path).summary() == report.summary()


def test_an_invalid_episode_shows_none_of_it() -> None:
    one = trace_of(LOST, status=Status.INVALID)
    report = make_report(config([one]), [one], {})
    assert report.main.answers.cut == 0
    assert cause_of(one) is None
