"""Rollouts in an unmodified GRPOTrainer, for every engine, and the settings that are refused."""

import copy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from trl import GRPOConfig, GRPOTrainer

import teller_gym
import teller_gym.adapters.trl.rollout_func as rollout_module
from teller_gym.adapters.trl.rollout_func import Rollouts, expect_plain_sampling
from teller_gym.agents.language import PROMPT_KEY
from teller_gym.agents.sampling import Turn
from teller_gym.base.errors import InfrastructureError, OptionError
from teller_gym.training import rollout_func, score, tasks_dataset
from teller_gym.training.config.run import load
from teller_gym.training.phases.grpo import _prompts
from teller_gym.training.rollouts.engines import BatchEngine, Draws
from teller_gym.training.rollouts.rollout import EnvPool, Rollout
from teller_gym.training.rollouts.vllm_colocated import ColocatedEngine
from teller_gym.training.rollouts.vllm_server import ServerEngine, engine_of
from teller_gym.training.tasks.seeds import LeakError, LeakGuard, make_env
from tests.training.stand_in import Talks, install

LOANS = "Teller-Loans-v0"
ALLOWED = LeakGuard(lambda scenario, split: [])


@pytest.fixture
def talking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the toy desk that has an answer to any text."""
    monkeypatch.setattr(rollout_module, "make_training_env", lambda *_: Talks())


def toy(**more: Any) -> Rollouts:
    wanted: dict[str, Any] = {"prompt": "minimal", "turn_tokens": 8, "total_tokens": 300, "guard": ALLOWED} | more
    return rollout_func("TellerStub-v0", **wanted)


def train(
    model: Any, tokenizer: Any, folder: Path, play: Any, rewards: Any, steps: int = 2, **more: Any
) -> list[dict[str, Any]]:
    """Train with TRL's own trainer; return the rows of its log that have a reward."""
    arguments = GRPOConfig(
        output_dir=str(folder), max_steps=steps, per_device_train_batch_size=6, num_generations=3, learning_rate=1e-2,
        gradient_accumulation_steps=1, logging_steps=1, report_to="none", save_strategy="no", bf16=False, use_cpu=True,
        disable_tqdm=True, **more,
    )  # fmt: skip
    data = tasks_dataset("TellerStub-v0", 2 * steps)
    trainer = GRPOTrainer(
        model, rewards, args=arguments, train_dataset=data, processing_class=tokenizer, rollout_func=play
    )
    assert type(trainer) is GRPOTrainer
    trainer.train()
    return [row for row in trainer.state.log_history if "reward" in row]


@pytest.mark.training
def test_a_plain_trainer_learns_from_the_packages_rollouts(
    model: Any, tokenizer: Any, tmp_path: Path, talking: None
) -> None:
    before, rounds = copy.deepcopy(model), []

    def kept(rollout: list[Rollout], **given: Any) -> list[float | None]:
        rounds.append({"rollout": rollout} | given)
        return score(rollout, **given)

    rows = train(model, tokenizer, tmp_path, toy(live=4), kept)
    assert len(rows) == len(rounds) == 2
    first = rounds[0]
    tasks = [one.task_id for one in first["rollout"]]
    assert len(set(tasks)) == 2 and tasks == [tasks[0]] * 3 + [tasks[3]] * 3 == first["task_id"]
    assert rows[0]["reward"] == pytest.approx(sum(first["score"]) / 6) and len(set(first["score"])) > 1
    assert first["end"] == [str(one.end) for one in first["rollout"]]
    for one, said in zip(first["rollout"], first["completion_ids"], strict=True):
        assert said == one.ids and one.turns > 1 and len(one.mask) == len(one.logprobs) == len(said)
        # The log-probabilities are those of the untrained model for exactly these tokens.
        found = before(input_ids=torch.tensor([one.context])).logits[0].detach().log_softmax(-1)
        start = len(one.prompt_ids)
        for at, (token, mine, logprob) in enumerate(zip(one.ids, one.mask, one.logprobs, strict=True)):
            if mine:
                assert float(found[start + at - 1, token]) == pytest.approx(logprob, abs=1e-3)
    mine = [sum(one.mask) for one in first["rollout"]]
    assert rows[0]["completions/mean_length"] == pytest.approx(sum(mine) / 6), "the environment's tokens count"
    assert rows[0]["episodes/turns"] > 1
    moved = max(float((a - b).abs().max()) for a, b in zip(before.parameters(), model.parameters(), strict=True))
    assert moved > 1e-3
    assert getattr(model.config, PROMPT_KEY) == "minimal"


def fake_trainer(tokenizer: Any, folder: Path, step: int = 0, process: int = 0, **more: Any) -> Any:
    """Return an object with the attributes of TRL's trainer that rollouts use."""
    accelerator = SimpleNamespace(
        process_index=process, unwrap_model=lambda one: one, distributed_type="NO", state=SimpleNamespace()
    )
    return SimpleNamespace(
        args=GRPOConfig(output_dir=str(folder), use_cpu=True, bf16=False, **more), processing_class=tokenizer,
        state=SimpleNamespace(global_step=step), accelerator=accelerator,
        model=SimpleNamespace(config=SimpleNamespace()), num_generations=2,
    )  # fmt: skip


@pytest.mark.training
def test_rounds_are_drawn_from_the_seed_and_their_place(
    model: Any, tokenizer: Any, tmp_path: Path, talking: None
) -> None:
    def drawn(seed: int, places: list[int], process: int = 0) -> list[list[list[int]]]:
        play, found = toy(seed=seed), []
        for place in places:
            trainer = fake_trainer(tokenizer, tmp_path, place, process)
            trainer.model = model
            found.append(play([*tasks_dataset("TellerStub-v0", 1)["prompt"]] * 2, trainer)["completion_ids"])
        return found

    first = drawn(0, [0, 0, 1])
    assert first[0] != first[1] != first[2] != first[0]
    assert drawn(0, [1]) == first[2:], "a run that continues draws something else"
    assert drawn(1, [0]) != first[:1] != drawn(0, [0], process=1)


@pytest.mark.training
def test_a_trainer_with_vllm_has_it_draw_with_ratios_of_one(
    model: Any, tokenizer: Any, tmp_path: Path, talking: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = install(monkeypatch)
    rows = train(model, tokenizer, tmp_path, toy(live=4), score, use_vllm=True, vllm_mode="colocate")
    (generation,) = made
    assert generation.told == ["sync"] * 2 and generation.llm.llm_engine.most == 4
    for row in rows:
        assert row["sampling/importance_sampling_ratio/mean"] == pytest.approx(1, abs=1e-3)
        assert row["sampling/sampling_logp_difference/max"] < 1e-3


def test_the_trainer_chooses_the_engine() -> None:
    draws = Draws(0, 1.0, 0)
    small = SimpleNamespace(device=torch.device("cpu"), config=None)
    small.config = SimpleNamespace(get_text_config=lambda: SimpleNamespace(num_hidden_layers=1))
    alone = SimpleNamespace(accelerator=SimpleNamespace(unwrap_model=lambda model: model), model=small)
    assert isinstance(engine_of(alone, draws), BatchEngine)
    served = SimpleNamespace(vllm_generation=SimpleNamespace(llm=SimpleNamespace(llm_engine=None)))
    assert isinstance(engine_of(served, draws), ColocatedEngine)
    assert isinstance(engine_of(served, draws, "http://localhost:1"), ServerEngine)


@pytest.mark.parametrize(
    ("given_url", "expected"), [(None, "http://10.0.0.7:8123"), ("http://node:9", "http://node:9")]
)
def test_a_server_is_asked_where_the_trainer_has_it(
    given_url: str | None, expected: str, tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, talking: None
) -> None:
    asked: list[str | None] = []

    def engine(trainer: Any, draws: Draws, url: str | None) -> Any:
        asked.append(url)
        raise InterruptedError

    monkeypatch.setattr(rollout_module, "engine_of", engine)
    trainer = fake_trainer(
        tokenizer, tmp_path, use_vllm=True, vllm_mode="server", vllm_server_base_url=given_url,
        vllm_server_host="10.0.0.7", vllm_server_port=8123,
    )  # fmt: skip
    with pytest.raises(InterruptedError):
        toy()(tasks_dataset("TellerStub-v0", 1)["prompt"], trainer)
    assert asked == [expected]


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ({"top_k": 40}, "top_k: expected 0 with rollout_func, got 40"),
        ({"min_p": 0.1}, "min_p: expected 0.0"),
        ({"repetition_penalty": 1.2}, "repetition_penalty: expected 1.0"),
        ({"generation_kwargs": {"num_beams": 2}}, "generation_kwargs: expected {}"),
    ],
)
def test_sampling_that_no_engine_knows_is_refused(setting: dict[str, Any], told: str, tmp_path: Path) -> None:
    plain: dict[str, Any] = {"output_dir": str(tmp_path), "use_cpu": True, "bf16": False}
    expect_plain_sampling(GRPOConfig(**plain, temperature=0.7, top_p=0.9))
    with pytest.raises(OptionError, match=told):
        expect_plain_sampling(GRPOConfig(**plain, **setting))


@pytest.mark.parametrize(
    ("use_vllm", "spread", "stage", "parallel", "told"),
    [
        (False, "DistributedType.FSDP", None, 1, "use_vllm: expected True"),
        (False, "DistributedType.DEEPSPEED", 3, 1, "use_vllm: expected True"),
        (True, "DistributedType.MULTI_GPU", None, 2, "vllm_tensor_parallel_size: expected 1"),
        (False, "DistributedType.DEEPSPEED", 2, 1, None),
        (True, "DistributedType.FSDP", None, 1, None),
    ],
)
def test_models_in_parts_draw_nothing(
    use_vllm: bool, spread: str, stage: int | None, parallel: int, told: str | None
) -> None:
    plugin = None if stage is None else SimpleNamespace(zero_stage=stage)
    trainer = SimpleNamespace(
        args=SimpleNamespace(use_vllm=use_vllm, vllm_mode="colocate", vllm_tensor_parallel_size=parallel),
        accelerator=SimpleNamespace(distributed_type=spread, state=SimpleNamespace(deepspeed_plugin=plugin)),
    )
    if told is None:
        rollout_module._expect_whole_models(trainer)
    else:
        with pytest.raises(OptionError, match=told):
            rollout_module._expect_whole_models(trainer)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"split": "heldout"}, "split: expected no such option, got 'heldout'"),
        ({"sop": "none"}, "sop"),
        ({"speed": 3}, r"option: expected one of scenario, split, .*, got 'speed'"),
        ({"prompt": "short"}, "prompt must be one of full, compact, minimal"),
        ({"turn_tokens": 0}, "turn_tokens: expected a whole number of 1 or more, got 0"),
        ({"turn_tokens": 900, "total_tokens": 800}, r"total_tokens: expected at least turn_tokens \(900\), got 800"),
        ({"live": 0}, "live: expected"),
        ({"patience": None}, "patience: expected"),
        ({"env_id": "Teller-Day-v0"}, "expected an environment of single cases"),
    ],
)
def test_a_wrong_value_is_told_before_anything_is_loaded(options: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        rollout_func(**{"env_id": LOANS} | options)


@pytest.fixture
def silent(tokenizer: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A trainer with a model that ends every turn at once."""

    class Silent:
        def sample(self, slots: Any, contexts: Any, max_new: int) -> list[Turn]:
            return [Turn([int(tokenizer.eos_token_id)], [0.0], True) for _ in slots]

        def forget(self) -> None:
            pass

    monkeypatch.setattr(rollout_module, "engine_of", lambda *_: BatchEngine(Silent()))
    return fake_trainer(tokenizer, tmp_path)


def test_prompts_name_training_tasks(silent: Any) -> None:
    play = rollout_func(LOANS, prompt="minimal")
    (prompt,) = tasks_dataset(LOANS, 1)["prompt"]
    found = play([prompt, prompt], silent)
    assert found["task_id"] == ["loans-g-1000000000"] * 2 and found["score"] == [0.0, 0.0]
    assert {len(column) for column in found.values()} == {2} and found["end"] == ["done", "done"]
    heldout = teller_gym.load_tasks("loans", "heldout")[0].id
    with pytest.raises(LeakError, match=heldout):
        play([[{"role": "user", "content": "x", "task_id": heldout}]], silent)
    for wrong in ([{"role": "user", "content": "loans-0001"}], "loans-0001", []):
        with pytest.raises(OptionError, match=r"names its task under 'task_id'.*\.tasks_dataset"):
            play([wrong], silent)


def test_a_round_of_which_nothing_counts_stops_the_run(silent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Talks):
        def step(self, action: str) -> Any:
            raise OSError("no disk")

    monkeypatch.setattr(rollout_module, "make_training_env", lambda *_: Broken())
    with pytest.raises(InfrastructureError, match="every episode of a round broke"):
        toy()(tasks_dataset("TellerStub-v0", 1)["prompt"], silent)


def test_options_are_tried_when_the_function_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[Any, ...]] = []

    def make(*given: Any) -> Talks:
        made.append(given)
        return Talks()

    monkeypatch.setattr(rollout_module, "make_training_env", make)
    play = rollout_func(LOANS, sop="explicit")
    assert isinstance(play._table, EnvPool) and made == [(LOANS, {"sop": "explicit"})]


# -- tasks ----------------------------------------------------------------------------------------------------------


def test_the_tasks_are_those_of_a_run_with_that_seed() -> None:
    config, _ = load("demo", ["seed=3", "method.grpo.steps=2", "method.grpo.tasks=4", "difficulty=[0.0,0.5]"])
    run = _prompts(config, EnvPool(lambda: make_env(LOANS, {}, "generated")))
    assert tasks_dataset(LOANS, 8, 3, difficulty=[0.0, 0.5])["prompt"][:] == run["prompt"][:]


@settings(max_examples=20)
@given(st.integers(1, 9), st.integers(0, 99), st.integers(0, 99))
def test_seeds_have_tasks_of_their_own(n: int, seed: int, other: int) -> None:
    ids, others = ([row[0]["task_id"] for row in tasks_dataset(LOANS, n, one)["prompt"]] for one in (seed, other))
    assert len(set(ids)) == n and (ids == others if seed == other else not set(ids) & set(others))


def test_chats_are_the_environments() -> None:
    env = make_env(LOANS, {"sop": "explicit"}, "generated")
    full = tasks_dataset(LOANS, 2, chats="full", sop="explicit")["prompt"][:]
    minimal = tasks_dataset(LOANS, 2, chats="minimal")["prompt"][:]
    for number in range(2):
        env.reset(options={"task_id": full[number][-1]["task_id"]})
        core: Any = env.unwrapped
        assert [(one["role"], one["content"]) for one in full[number]] == [
            (one["role"], one["content"]) for one in core.messages()
        ]
        assert [one["role"] for one in minimal[number]] == ["user"]
        assert minimal[number][0]["content"] == full[number][-1]["content"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"n": 0}, "n: expected a whole number from 1 to 1000000, got 0"),
        ({"n": 1, "seed": 100}, "seed: expected a whole number from 0 to 99, got 100"),
        ({"n": 1, "seed": True}, "seed: expected"),
        ({"n": 1, "chats": "compact"}, "chats: expected None, 'full' or 'minimal', got 'compact'"),
        ({"n": 1, "difficulty": [0.5]}, "difficulty: expected null or a pair"),
        ({"n": 1, "split": "train"}, "split: expected no such option"),
    ],
)
def test_a_wrong_data_set_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        tasks_dataset(LOANS, **given)


def test_the_package_is_light_and_a_missing_extra_says_what_to_install() -> None:
    code = (
        "import sys, teller_gym.training as t\n"
        "assert not {'torch', 'trl', 'datasets', 'transformers'} & set(sys.modules)\n"
        "assert sorted(t.__all__) == ['environment_factory', 'rollout_func', 'score', 'tasks_dataset']\n"
        "assert callable(t.score) and 'trl' not in sys.modules and not hasattr(t, 'episodes')\n"
        "sys.modules['datasets'] = None\n"
        "try: t.tasks_dataset\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=300, capture_output=True, text=True)
    told = done.stdout
    assert "teller_gym.training.tasks_dataset needs packages" in told and "pip install -e '.[train]'" in told
