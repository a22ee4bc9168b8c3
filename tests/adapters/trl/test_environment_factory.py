"""Tools as methods in TRL's own loop: every tool has its schema, the expert scores 1, and doing nothing scores 0."""

import inspect
import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils.chat_template_utils import render_jinja_template
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import add_response_schema, get_training_chat_template, parse_response

import teller_gym
import teller_gym.adapters.trl.environment_factory as factory_module
from teller_gym.adapters.trl.environment_factory import BROKE, OVER, CallableSchema, ToolEnvironment
from teller_gym.agents.chat import ChatFormat, PromptStyle
from teller_gym.base.errors import OptionError
from teller_gym.registration import OWN, execution_card
from teller_gym.training import environment_factory, tasks_dataset
from teller_gym.training.config.model import TinyShape
from teller_gym.training.demonstrations.expert import play_expert
from teller_gym.training.models.tiny import build_model, train_tokenizer
from teller_gym.training.tasks.seeds import LeakError, LeakGuard, make_env
from tests.training.stub_env import StubEnv, expected_call

LOANS = "Teller-Loans-v0"
SCENARIOS = tuple(execution_card(entry).id for entry in OWN)

Call = dict[str, Any]


def expert_calls(env_id: str, task_id: str) -> list[Call]:
    """Return names and arguments of the expert's calls in a task."""
    env = make_env(env_id, {}, "generated")
    trajectory = play_expert(env, teller_gym.make_agent("expert", env), task_id, LeakGuard())
    return [call["function"] for message in trajectory.messages for call in message.get("tool_calls") or []]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    """A tokenizer with the chat template of Qwen3 that TRL ships, from which TRL can parse calls."""
    template = resources.files("trl").joinpath("chat_templates", "qwen3.jinja").read_text("utf-8")
    env, made = make_env(LOANS, {}, "generated"), train_tokenizer([], 0)
    env.reset(seed=1)
    core: Any = env.unwrapped
    made.chat_template = template
    text = made.apply_chat_template(core.messages(), tools=core.tool_schemas(), tokenize=False)
    made = train_tokenizer([text] * 2, 4096)
    made.chat_template = template
    add_response_schema(made)
    made.chat_template = get_training_chat_template(made)
    return made


@pytest.fixture(scope="module", params=SCENARIOS)
def env_id(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_tool_is_found_and_shown_as_trl_does_it(env_id: str) -> None:
    desk = environment_factory(env_id)()
    env = make_env(env_id, {}, "generated")
    env.reset(seed=5)
    core: Any = env.unwrapped
    # GRPOTrainer.__init__ finds tools like this: functions of the class, looked up on an instance.
    functions = [name for name, _ in inspect.getmembers(type(desk), predicate=inspect.isfunction)]
    names = [name for name in functions if name not in ("reset", "get_reward") and not name.startswith("_")]
    schemas = core.tool_schemas()
    assert sorted(names) == sorted(one["function"]["name"] for one in schemas)
    tools = [getattr(desk, name) for name in names]
    assert sorted(tools, key=str) == sorted(schemas, key=str)
    assert [tool.__name__ for tool in tools] == names and all(tool.__doc__ for tool in tools)
    # A chat template receives the tools like this.
    template = "{% for tool in tools %}{{ tool | tojson }}\n{% endfor %}"
    (text,), _ = render_jinja_template([[{"role": "user", "content": ""}]], tools=tools, chat_template=template)
    assert [json.loads(line) for line in text.splitlines()] == [dict(tool) for tool in tools]


def test_every_tool_can_be_called(env_id: str) -> None:
    """Calls with any arguments, even invalid ones, have the same results as in the environment."""
    factory = environment_factory(env_id)
    (row,) = tasks_dataset(env_id, 1, chats="full")
    task_id = row["prompt"][-1]["task_id"]
    env = make_env(env_id, {}, "generated")
    for schema in factory._schemas:
        name, parameters = schema["function"]["name"], schema["function"]["parameters"]
        for wanted in (parameters["properties"], parameters["required"]):
            arguments = {parameter: example(parameters["properties"][parameter]) for parameter in wanted}
            desk = factory()
            desk.reset(**row)
            env.reset(options={"task_id": task_id})
            observation, *_, info = env.step(json.dumps({"name": name, "arguments": arguments}))
            assert getattr(desk, name)(**arguments) == observation["tool_result"]
            assert desk.get_reward() == info["score"]
            kind = (info["error"] or {"kind": None})["kind"]
            assert kind not in ("malformed", "unknown_tool", "crash"), (name, info["error"])


def example(schema: dict[str, Any]) -> Any:
    """Return a value of the schema's type."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return example(schema["anyOf"][0])
    if schema["type"] == "array":
        return [example(schema["items"])]
    return {"string": "x", "integer": 1, "number": 1.5, "boolean": True, "null": None}[schema["type"]]


def test_the_expert_scores_one_and_doing_nothing_scores_nothing(env_id: str) -> None:
    factory = environment_factory(env_id)
    desk, idle = factory(), factory()
    for row in tasks_dataset(env_id, 2, chats="full"):
        task_id = row["prompt"][-1]["task_id"]
        for one in (desk, idle):
            one.reset(**row)
        for call in expert_calls(env_id, task_id):
            assert idle.get_reward() == 0 <= (desk.get_reward() or 0) < 1
            answer = getattr(desk, call["name"])(**call["arguments"])
            assert "error" not in json.loads(answer)
        assert desk.get_reward() == 1.0 and idle.get_reward() == 0.0
        # TRL does not know that the episode has ended; later calls return the same text and change nothing.
        last: Any = getattr(desk, call["name"])(**call["arguments"])
        assert last == OVER and desk.get_reward() == 1.0


def test_the_experts_calls_survive_trls_reading(env_id: str, tokenizer: Any) -> None:
    desk = environment_factory(env_id)()
    tools = [getattr(desk, schema["function"]["name"]) for schema in desk._schemas]
    (row,) = tasks_dataset(env_id, 1)
    calls = expert_calls(env_id, row["prompt"][-1]["task_id"])
    prefix = tokenizer("<|im_start|>assistant\n<think>\n\n</think>\n\n")["input_ids"]
    for call in calls:
        ids = tokenizer(f"<tool_call>\n{json.dumps(call)}\n</tool_call><|im_end|>")["input_ids"]
        found = parse_response(tokenizer, ids, prefix=prefix, tools=tools)
        assert [one["function"] for one in found["tool_calls"]] == [call]


def test_what_the_model_sees_is_what_evaluation_shows_it(tokenizer: Any) -> None:
    desk = environment_factory(LOANS)()
    (row,) = tasks_dataset(LOANS, 1, chats="full")
    tools = [getattr(desk, schema["function"]["name"]) for schema in desk._schemas]
    options = {"add_generation_prompt": True, "enable_thinking": False, "return_dict": False}
    shown = tokenizer.apply_chat_template(row["prompt"], tools=tools, **options)
    env = make_env(LOANS, {}, "generated")
    env.reset(options={"task_id": row["prompt"][-1]["task_id"]})
    core: Any = env.unwrapped
    assert shown == ChatFormat(tokenizer, PromptStyle.FULL).prompt_ids(core.messages(), core.tool_schemas())


class Expert:
    """Samples the expert's turns in place of TRL's model, with one malformed call in the second rollout."""

    def __init__(self, tokenizer: Any, calls: list[Call]) -> None:
        self.tokenizer, self.calls = tokenizer, calls

    def __call__(self, prompt_ids: list[list[int]], *_: Any, **__: Any) -> tuple[list[list[int]], None]:
        said = []
        for number, ids in enumerate(prompt_ids):
            turn = self.tokenizer.decode(ids).count("<tool_response>")
            text = "Done." if turn == len(self.calls) else f"<tool_call>\n{json.dumps(self.calls[turn])}\n</tool_call>"
            text = "<tool_call>\n{broken\n</tool_call>" if turn == 2 and number == 1 else text
            said.append(self.tokenizer(text + "<|im_end|>")["input_ids"])
        return said, None


def plain_trainer(tokenizer: Any, folder: Path, data: Dataset, factory: Any) -> GRPOTrainer:
    """Return TRL's own trainer with a tiny model."""
    shape = TinyShape(hidden=48, layers=1, heads=1, kv_heads=1, head_dim=32, mlp=32, positions=65536)
    arguments = GRPOConfig(
        output_dir=str(folder), per_device_train_batch_size=2, num_generations=2, max_completion_length=20_000,
        report_to="none", bf16=False, use_cpu=True, chat_template_kwargs={"enable_thinking": False},
    )  # fmt: skip
    return GRPOTrainer(
        build_model(shape, tokenizer, 0), args=arguments, train_dataset=data, processing_class=tokenizer,
        environment_factory=factory,
    )  # fmt: skip


@pytest.mark.training
def test_trls_loop_plays_the_expert_to_the_full_score(
    tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the turns are scripted. A malformed call ends a rollout silently, as docs/train/own_trainer.md describes."""
    data = tasks_dataset(LOANS, 1, chats="full")
    calls = expert_calls(LOANS, data[0]["prompt"][-1]["task_id"])
    trainer = plain_trainer(tokenizer, tmp_path, data, environment_factory(LOANS))
    assert type(trainer) is GRPOTrainer and trainer.chat_template is None, "another template would be saved"
    monkeypatch.setattr(trainer, "_generate_single_turn", Expert(tokenizer, calls))
    batch = trainer._generate_and_score_completions([data[0], data[0]])
    rewards = [desk.get_reward() for desk in trainer.environments]
    assert rewards[0] == 1.0 and 0 < rewards[1] < 1
    metrics = trainer._metrics["train"]
    assert metrics["rewards/LoansDesk/mean"] == [pytest.approx(sum(rewards) / 2)]
    assert metrics["tools/failure_frequency"] == [0.0]
    assert metrics["tools/call_frequency"] == [(len(calls) + 2) / 2]
    assert batch["advantages"][0] > 0 > batch["advantages"][1]
    mask, ids = batch["tool_mask"][0], batch["completion_ids"][0]
    mine = tokenizer.decode(ids[mask > 0])
    assert mine.count("<tool_call>") == len(calls) and "<tool_response>" not in mine


@pytest.mark.training
def test_several_scenarios_each_have_their_tools(tokenizer: Any, tmp_path: Path) -> None:
    ids = {"loans": LOANS, "savings": "Teller-Savings-v0"}
    factories = {name: environment_factory(env_id) for name, env_id in ids.items()}
    rows = [tasks_dataset(env_id, 1, chats="full")[0] | {"environment": name} for name, env_id in ids.items()]
    trainer = plain_trainer(tokenizer, tmp_path, Dataset.from_list(rows), factories)
    assert trainer.reward_func_names == ["LoansDesk", "SavingsDesk"]
    for name, factory in factories.items():
        assert sorted(trainer._env_tools[name], key=str) == sorted(factory._schemas, key=str)


# -- what is refused, and what breaks -------------------------------------------------------------------------------


def test_tools_that_differ_from_task_to_task_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for options in ({"schema_shift": 1}, {"distractors": 5}):
        with pytest.raises(OptionError, match=r"TRL shows every episode the same ones: leave out schema_shift"):
            environment_factory(LOANS, **options)  # type: ignore[arg-type]
    # Tools that change only in later tasks are refused, too.
    monkeypatch.setattr(factory_module, "PROBES", 1)
    desk = environment_factory(LOANS, distractors=5)()
    with pytest.raises(OptionError, match="the tools of loans-g-1000000007 are not those of other tasks"):
        desk.reset(task_id="loans-g-1000000007")


@pytest.mark.parametrize("options", [{"distractors": "all"}, {"policy_shift": 1, "perturb": 1, "faults": 1}])
def test_options_that_leave_the_tools_alone_are_taken(options: dict[str, Any]) -> None:
    (row,) = tasks_dataset(LOANS, 1, chats="full", **options)
    desk = environment_factory(LOANS, **options)()
    desk.reset(**row)
    assert desk.get_reward() == 0


@pytest.mark.parametrize("env_id", ["Teller-Bank-v0", "Teller-BankWithoutLoans-v0"])
def test_several_scenarios_take_a_dictionary(env_id: str) -> None:
    with pytest.raises(OptionError, match=f"of one scenario.* got {env_id}; .* a dictionary of factories"):
        environment_factory(env_id)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({}, "names its task under 'task_id'"),
        ({"prompt": [{"role": "user", "content": "x"}]}, "names its task under 'task_id'"),
        ({"prompt": [{"role": "user", "content": "x", "task_id": "loans-g-1"}]}, r"the request of loans-g-1, got 'x'"),
        ({"task_id": "loans-9999999"}, "loans-9999999"),
    ],
)
def test_rows_must_name_their_task_and_ask_for_it(row: dict[str, Any], told: str) -> None:
    desk = environment_factory(LOANS)()
    with pytest.raises(OptionError, match=told):
        desk.reset(**row)
    heldout = teller_gym.load_tasks("loans", "heldout")[0].id
    with pytest.raises(LeakError, match=heldout):
        desk.reset(task_id=heldout)


class Odd(StubEnv):
    """The toy desk with names of tools and parameters that are not valid in Python."""

    stage = 2
    names = ("plain", "with-dash")

    def tool_schemas(self) -> list[dict[str, Any]]:
        inner = {"type": "array", "items": {"type": "array", "items": {"enum": ["a", 1, None]}}}
        properties = {"from": {"type": "string", "pattern": "^x"}, "self": {"type": "integer"}, "a-b c": inner}
        parameters = {"type": "object", "properties": properties, "required": ["self", "from"]}
        return [
            {"type": "function", "function": {"name": name, "description": "Odd.", "parameters": parameters}}
            for name in self.names
        ]

    def execute(self, text: str) -> dict[str, Any]:
        call = json.loads(text)
        if call["arguments"].get("break"):
            raise OSError("no disk")
        self.chat.append({"role": "assistant", "content": text})
        return dict(call)


def odd(monkeypatch: pytest.MonkeyPatch, env: type[StubEnv] = Odd) -> type[ToolEnvironment]:
    monkeypatch.setattr(factory_module, "make_training_env", lambda *_: env())
    return environment_factory("Odd-v0", guard=LeakGuard(lambda scenario, split: []))


@settings(max_examples=20)
@given(
    st.dictionaries(
        st.text(), st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5)
    )
)
def test_any_arguments_arrive_as_they_are(arguments: dict[str, Any]) -> None:
    taken: list[tuple[str, dict[str, Any]]] = []

    def run(name: str, given: dict[str, Any]) -> str:
        taken.append((name, given))
        return "{}"

    tool = CallableSchema(Odd().tool_schemas()[1], run)
    assert tool(**arguments) == "{}" and taken == [("with-dash", arguments)]


def test_names_that_python_has_no_words_for_survive(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = odd(monkeypatch)()
    desk.reset(task_id="stub-g-1")
    for name in Odd.names:
        tool = getattr(desk, name)
        assert tool == next(one for one in Odd().tool_schemas() if one["function"]["name"] == name)
        arguments = {"from": "x1", "self": 2, "a-b c": [["a"], [1, None]]}
        assert json.loads(tool(**arguments)) == {"name": name, "arguments": arguments}


def test_names_that_trl_takes_for_no_tool_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("reset", "get_reward", "_hidden", "_call"):
        with pytest.raises(OptionError, match=f"tool '{name}': expected another name"):
            odd(monkeypatch, type("Named", (Odd,), {"names": (name,)}))


def test_a_breakdown_of_ours_is_left_out_of_the_rewards(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    desk = odd(monkeypatch)()
    desk.reset(task_id="stub-g-1")
    assert desk.get_reward() == 0
    tool: Any = desk.plain  # type: ignore[attr-defined]
    assert tool(**{"break": 1}) == BROKE and desk.get_reward() is None and tool() == OVER
    assert any("an episode broke at a call of plain" in record.getMessage() for record in caplog.records)
    desk.reset(task_id="stub-g-2")
    assert desk.get_reward() == 0 and json.loads(tool(**{"from": "x"}))["name"] == "plain"


def test_episodes_are_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain(StubEnv):
        stage = 2

    factory = odd(monkeypatch, Plain)
    one, other = factory(), factory()
    for desk in (one, other):
        desk.reset(task_id="stub-g-1")
    call = expected_call(one._env.task, 0)
    one._call(call["name"], call["arguments"])
    assert (one.get_reward() or 0) > 0 == other.get_reward()
    assert factory.__name__ == "StubDesk"
