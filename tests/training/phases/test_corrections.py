"""Corrections by the expert: which turns it corrects, which it lets pass, and which tokens are learned."""

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import teller_gym
from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.agents.sampling import Turn
from teller_gym.base.errors import OptionError
from teller_gym.envs.contract import execution_of
from teller_gym.grading.rubric import Rubric
from teller_gym.procedure.scenario import load_scenario
from teller_gym.proof.solvable import random_order
from teller_gym.tools.call import Call
from teller_gym.tools.run import action_text
from teller_gym.training.config.rounds import CorrectionsConfig
from teller_gym.training.config.run import load
from teller_gym.training.demonstrations.batches import IGNORED, encode
from teller_gym.training.demonstrations.expert import Trajectory
from teller_gym.training.phases.corrections import Case, Corrections
from teller_gym.training.phases.expert_shadow import Judge, Judgement
from teller_gym.training.phases.lessons import Lesson, lessons_of
from teller_gym.training.phases.student import Desk
from teller_gym.training.rollouts.rollout import End, Limits
from teller_gym.training.tasks.mixture import Mixture
from teller_gym.training.tasks.seeds import LeakError, LeakGuard
from tests.training.rollouts.test_rollout import Scripted

Say = Callable[[Case], str]
FOUND = load("train", ["method=corrections"])[0].method.corrections
VARIED = {"policy_shift": 1, "schema_shift": 1, "perturb": 1, "distractors": 12}


class Place:
    """An environment, with everything else that a case needs."""

    def __init__(self, tokenizer: Any, env: str = "loans", style: str = "minimal", **options: Any) -> None:
        config = load("train", [f"env={env}", f"model.prompt={style}"])[0]
        config.env.model_extra.update(options)  # type: ignore[union-attr]
        self.chat = ChatFormat(tokenizer, PromptStyle(style))
        self.desk = Desk(config, LeakGuard(lambda scenario, split: []))
        self.desk.limits = Limits(turn=300, total=100_000, patience=5)
        self.env, spare = self.desk.table.seats(2)
        self.core = execution_of(self.env)
        self.judge = Judge(spare)

    def case(self, task_id: str, **changes: Any) -> Case:
        return Case(self.env, task_id, self.chat, self.desk, wanted(**changes), self.judge)

    def play(self, task_id: str, say: Say, **changes: Any) -> Case:
        """Play a case to its end."""
        case = self.case(task_id, **changes)
        while case.end is None:
            case.play(turn(self.chat, say(case)))
        return case


def wanted(**changes: Any) -> CorrectionsConfig:
    """Return settings with more corrections than any episode needs."""
    return FOUND.model_copy(update={"most": 99} | changes)


def turn(chat: ChatFormat, text: str) -> Turn:
    """Return a turn as a model trained with the template would write it."""
    ids = chat.tokenizer(tagged(text))["input_ids"]
    return Turn([*ids, chat.end], [0.0] * (len(ids) + 1), True)


def tagged(text: str) -> str:
    return f"<tool_call>{text}</tool_call>" if text.startswith("{") else text


def expert(case: Case) -> str:
    return case.shadow.wanted


def spoilt(text: str, rng: random.Random) -> str:
    """Spoil a call so that every environment refuses it: another tool, a missing argument, or broken JSON."""
    call = json.loads(text)
    kind = rng.choice(("tool", "argument", "json") if call["arguments"] else ("tool", "json"))
    if kind == "tool":
        call["name"] += "_record_entry"
    elif kind == "argument":
        del call["arguments"][rng.choice(list(call["arguments"]))]
    written = json.dumps(call, separators=(",", ":"))
    return f"<tool_call>{written[:-2]}" if kind == "json" else written


def altered(text: str, rng: random.Random) -> str | None:
    """Return a call with one of its numbers raised by one; None if it has no number."""
    call = json.loads(text)
    names = [name for name, value in call["arguments"].items() if type(value) in (int, float)]
    if not names:
        return None
    call["arguments"][rng.choice(names)] += 1
    return json.dumps(call, separators=(",", ":"))


class Erring:
    """A student that errs at random; it tries each mistake before it makes it, and records which ones are refused."""

    def __init__(self, place: Place, seed: int, share: float) -> None:
        self.place, self.share, self.rng = place, share, random.Random(seed)
        self.refused: list[str] = []
        self.others: list[str] = []

    def __call__(self, case: Case) -> str:
        right = case.shadow.wanted
        if self.rng.random() >= self.share:
            return right
        kind = self.rng.choice(("spoilt", "altered", "text", "again"))
        text = {"spoilt": spoilt(right, self.rng), "text": "All is done.", "altered": altered(right, self.rng)}.get(
            kind
        )
        if kind == "again" and case.shadow.taken:
            call, _ = self.rng.choice(case.shadow.taken)
            text = action_text(Call(*self.place.core.tools.write(call.name, call.arguments)))
        if text is None:
            return right
        (self.refused if self.is_refused(text) else self.others).append(text)
        return text

    def is_refused(self, text: str) -> bool:
        before = self.place.core.snapshot()
        error = self.place.env.step(text)[-1]["error"]
        self.place.core.restore(before)
        return error is not None


@pytest.fixture(scope="module")
def loans(tokenizer: Any) -> Place:
    return Place(tokenizer)


def lesson(case: Case) -> Lesson:
    (found,) = lessons_of(case.row())
    return found


@pytest.mark.parametrize(
    "options", [{}, VARIED, {"faults": 1}, {"env": "bank"}, {"env": "bank", **VARIED, "faults": 2}], ids=str
)
def test_a_student_equal_to_the_expert_is_never_corrected(tokenizer: Any, options: dict[str, Any]) -> None:
    place = Place(tokenizer, **options)
    scenarios = list(Mixture.in_env(place.env).weights)
    for seed in range(max(2, len(scenarios))):
        scenario = scenarios[seed % len(scenarios)]
        case = place.play(f"{scenario}-g-{seed}", expert)
        assert case.end is End.DONE and case.corrections == 0
        assert set(case.counts) <= {Judgement.RIGHT, Judgement.UNANSWERED}
        row = case.row()
        assert row["episodes"][0]["success"] and row["lessons"] == [], "nothing was corrected, so nothing is new"


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_any_order_that_the_procedure_allows_is_right(loans: Place, seed: int) -> None:
    case = loans.case(f"loans-g-{seed}")
    rubric = Rubric(case.task, load_scenario("loans"))
    order = random_order([call.dependencies() for call in rubric.required], random.Random(seed))
    calls = [case.task.standard.calls[number] for number in order]
    for call in calls:
        case.play(turn(loans.chat, json.dumps({"name": call.name, "arguments": call.arguments})))
    assert case.end is End.DONE and case.row()["episodes"][0]["success"]
    assert case.counts == {Judgement.RIGHT: len(calls)}


def test_a_right_call_too_early_is_wrong_though_it_is_accepted(loans: Place) -> None:
    """Try each call of the standard result at each point: it is right once the calls that it depends on are made."""
    judged: Counter[Judgement] = Counter()
    for seed in (1, 6):
        case = loans.case(f"loans-g-{seed}")
        required = Rubric(case.task, load_scenario("loans")).required
        texts = [json.dumps({"name": one.name, "arguments": one.arguments}) for one in case.task.standard.calls]
        for done, text in enumerate(texts):
            for later in range(done, len(texts)):
                before = loans.core.snapshot()
                obs, _, terminated, truncated, info = loans.env.step(texts[later])
                found = loans.judge.judge(
                    case.shadow, loans.core, texts[later], before, obs, info, terminated or truncated
                )
                loans.core.restore(before)
                allowed = all(one < done for one in required[later].dependencies())
                assert (found is Judgement.RIGHT) is allowed
                judged[found] += 1
            case.play(turn(loans.chat, text))
        assert case.end is End.DONE and case.corrections == 0
    assert min(judged[one] for one in (Judgement.RIGHT, Judgement.WRONG, Judgement.REFUSED)) > 5


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), share=st.sampled_from([0.1, 0.4, 0.9]))
def test_exactly_the_wrong_turns_are_corrected_and_the_case_ends_well(loans: Place, seed: int, share: float) -> None:
    student = Erring(loans, seed, share)
    case = loans.play(f"loans-g-{seed}", student)
    assert case.counts[Judgement.REFUSED] == len(student.refused)
    assert case.counts[Judgement.WRONG] == len(student.others)
    assert case.corrections == len(student.refused) + len(student.others)
    episode = case.row()["episodes"][0]
    assert case.end is End.DONE and episode["success"]
    assert (episode["score"] == pytest.approx(1)) is (not student.refused)
    whole = loans.chat.text(case.ids)
    standard = [{"name": one.name, "arguments": one.arguments} for one in case.task.standard.calls]
    turns = whole.count("<|im_start|>assistant")
    assert turns == len(standard) + len(student.refused), "what was undone is not read"
    assert all(tagged(text) in whole for text in student.refused), "what was refused is read"
    learned = [loans.chat.text(case.ids[start:end]) for start, end in case.learned]
    said = [json.loads(text.removeprefix("<tool_call>").removesuffix("</tool_call>")) for text in learned]
    assert said == standard, "what is learned is the whole standard result, and nothing else"


@pytest.mark.parametrize(("style", "options"), [("minimal", {}), ("full", {}), ("compact", VARIED)])
def test_the_tokens_are_those_of_the_chat_rendered_at_once(tokenizer: Any, style: str, options: dict[str, Any]) -> None:
    """The student writes its turns as the template renders them."""
    place = Place(tokenizer, style=style, **options)
    for seed in range(3):
        case = place.play(f"loans-g-{seed}", Erring(place, seed, 0.4))
        messages = place.core.messages()
        said = [number for number, one in enumerate(messages) if one["role"] == "assistant"]
        refused = tuple(
            number for number, at in enumerate(said) if '"error"' in messages[at + 1 : at + 2][0]["content"]
        )
        chat = Trajectory(case.task.id, "", messages, place.core.tool_schemas())
        rendered = encode(chat, tokenizer, PromptStyle(style))
        assert case.ids == rendered.ids[: len(case.ids)].tolist()
        spans = [span for number, span in enumerate(Lesson.of(rendered).learned) if number not in refused]
        assert spans[-1][1] <= len(case.ids)
        assert case.learned == spans


@pytest.mark.parametrize("options", [VARIED, {"faults": 3}], ids=str)
def test_mistakes_are_put_right_in_any_environment(tokenizer: Any, options: dict[str, Any]) -> None:
    place = Place(tokenizer, **options)
    for seed in range(4):
        case = place.play(f"loans-g-{seed}", Erring(place, seed, 0.4))
        # A turn with a temporary error is neither judged nor corrected.
        assert case.corrections == case.counts[Judgement.REFUSED] + case.counts[Judgement.WRONG] > 0
        assert case.counts[Judgement.UNANSWERED] == 0 or "faults" in options
        assert case.end is End.DONE and case.row()["episodes"][0]["success"]


def test_an_error_is_read_and_its_call_is_not_learned(loans: Place) -> None:
    say = iter(['{"name":"look_up","arguments":{}}'])
    case = loans.play("loans-g-3", lambda case: next(say, case.shadow.wanted))
    start, end = case.learned[0]
    example = lesson(case).example()
    learned = [at for span in case.learned for at in range(*span)]
    assert [at for at, label in enumerate(example.labels) if label != IGNORED] == learned
    read = loans.chat.text(case.ids[:start])
    assert "look_up" in read and "unknown_tool" in read
    assert case.ids[end - 1] == loans.chat.end, "to end a turn is learned, too"
    # A turn that was cut is closed by the environment.
    case = loans.case("loans-g-5")
    ids = loans.chat.tokenizer('<tool_call>{"name":')["input_ids"]
    start = len(case.ids)
    case.play(Turn(ids, [0.0] * len(ids), False))
    assert case.ids[start + len(ids)] == loans.chat.end
    assert [loans.chat.text(case.ids[a:b])[:11] for a, b in case.learned] == ["<tool_call>"] and case.corrections == 1


def test_a_look_elsewhere_is_let_be_and_not_learned_and_a_second_one_is_a_mistake(tokenizer: Any) -> None:
    place = Place(tokenizer)
    found = 0
    for seed in range(20):
        case = place.case(f"loans-g-{seed}")
        place.env.action_space.seed(seed)
        text = json.dumps(json.loads(place.env.action_space.sample()), separators=(",", ":"))
        before = len(case.learned)
        case.play(turn(place.chat, text))
        if case.counts[Judgement.HARMLESS] == 0:
            continue
        found += 1
        assert case.corrections == 0 and len(case.learned) == before
        case.play(turn(place.chat, text))
        assert case.counts == {Judgement.HARMLESS: 1, Judgement.WRONG: 1} and case.corrections == 1
        while case.end is None:
            case.play(turn(place.chat, expert(case)))
        assert case.row()["episodes"][0]["score"] == pytest.approx(1)
    assert found > 2


def test_a_wrong_value_in_a_call_that_only_looks_is_a_mistake(tokenizer: Any) -> None:
    """It costs no points, but the student should unlearn it."""
    place = Place(tokenizer, env="credit_cards")
    rng, looks = random.Random(0), 0
    for seed in range(30):
        case = place.case(f"credit_cards-g-{seed}")
        while case.end is None:
            text = expert(case)
            if json.loads(text)["name"] == "get_card_activity" and (wrong := altered(text, rng)):
                counts = case.counts.copy()
                case.play(turn(place.chat, wrong))
                assert case.counts - counts <= Counter({Judgement.WRONG: 1, Judgement.REFUSED: 1})
                looks += case.counts[Judgement.WRONG] - counts[Judgement.WRONG]
            else:
                case.play(turn(place.chat, text))
        assert case.row()["episodes"][0]["success"]
        if looks > 2:
            return
    raise AssertionError("no such call came up")


def test_when_the_corrections_are_used_up_the_expert_finishes(loans: Place) -> None:
    case = loans.play("loans-g-5", lambda case: "All is done.", most=2)
    assert case.corrections == case.turns == 2
    assert len(case.learned) == len(case.task.standard.calls)
    assert case.end is End.DONE and case.row()["episodes"][0]["success"]


def test_a_conversation_never_grows_beyond_its_tokens(loans: Place, tokenizer: Any) -> None:
    place = Place(tokenizer)
    whole = len(place.play("loans-g-5", lambda case: "All is done.").ids)
    for total in (400, whole - 1, whole):
        place.desk.limits = Limits(turn=10, total=total, patience=5)
        case = place.play("loans-g-5", lambda case: "All is done.", most=1)
        assert len(case.ids) <= total
        assert case.end is (End.DONE if total == whole else End.TOKENS)


def test_a_breakdown_of_ours_teaches_nothing(tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(tokenizer)
    case = place.case("loans-g-5")
    case.play(turn(place.chat, "All is done."))
    assert case.corrections == 1
    monkeypatch.setattr(type(place.core), "step", lambda *_: 1 / 0)
    case.play(turn(place.chat, "All is done."))
    assert case.end is End.INVALID
    row = case.row()
    assert row["lessons"] == [] and row["episodes"][0]["score"] is None


def test_a_task_of_an_evaluation_split_is_refused(tokenizer: Any) -> None:
    place = Place(tokenizer)
    place.desk.guard = LeakGuard()
    with pytest.raises(LeakError, match="must not be trained on"):
        place.case(teller_gym.load_tasks("loans", "heldout")[0].id)


def test_several_cases_are_played_together_and_each_is_its_own(tokenizer: Any) -> None:
    place = Place(tokenizer)
    ids = [f"loans-g-{seed}" for seed in (1, 2, 4)]
    calls = [
        [json.dumps({"name": one.name, "arguments": one.arguments}) for one in place.case(task_id).task.standard.calls]
        for task_id in ids
    ]
    scripts = {number: list(one) for number, one in enumerate(calls)}
    scripts[1][1] = "All is done."
    scripts[2][2:3] = ['{"name":']
    sampler = Scripted(place.chat, [], scripts)
    method = Corrections(wanted(), place.desk)
    rows = method.play(sampler, ids, 0)  # type: ignore[arg-type]
    assert [row["task_id"] for row in rows] == ids
    assert [row["episodes"][0]["corrections"] for row in rows] == [0, 1, 1]
    assert [len(row["lessons"]) for row in rows] == [0, 1, 1]
    assert all(row["episodes"][0]["success"] for row in rows)
    figures = method.figures(rows)
    assert figures["corrections_an_episode"] == pytest.approx(2 / 3) and figures["corrected_success"] == 1
    turns = sum(map(len, calls))
    assert figures["right_turns"] == pytest.approx((turns - 2) / turns)
    for first in sampler.contexts[:3]:
        shown = [context for context in sampler.contexts if context[: len(first)] == first]
        assert len(shown) > 1 and all(later[: len(one)] == one for one, later in pairwise(shown))


def test_a_working_day_is_refused_by_name() -> None:
    from teller_gym.training.launch.preflight import preflight

    config = load("train", ["env=day", "method.corrections.rounds=1", "run_dir=/nowhere/at/all"])[0]
    with pytest.raises(OptionError, match=r"method.corrections.rounds: expected 0 with .*Day"):
        preflight(config)
