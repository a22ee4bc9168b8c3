"""Reading of the command line of `teller-gym eval`."""

from __future__ import annotations

import pytest

from teller_gym.base.errors import OptionError, SettingsError
from teller_gym.cli.eval_config import EvalConfig, compose
from teller_gym.cli.eval_envs import check_options, ids_of
from teller_gym.configuration.compose import choices, groups_of
from teller_gym.configuration.describe import describe

ENDPOINTS = [name for name in choices("endpoint") if name not in ("none", "options")]
CHOICES = [(group, choice) for group in groups_of("eval") for choice in choices(group) if group != "endpoint"]


def test_defaults() -> None:
    config = compose(["env=loans", "agent=expert"])
    assert (config.env.id, config.split, config.agent.id, config.tools) == (["loans"], ["heldout"], "expert", "own")
    assert (config.trials, config.concurrency, config.seed) == (1, 1, 0)
    assert (config.stage, config.task_ids, config.run_dir) == (None, None, None)
    assert (config.agent.options, config.env.options, config.graph) == ({}, {}, {})


def test_names_and_their_options_do_not_get_into_each_others_way() -> None:
    words = ["agent.temperature=0.5", "env.sop=explicit", "agent=runs/x", "env=loans", "graph.distractors=all"]
    config = compose(words)
    assert (config.agent.id, config.agent.options) == ("runs/x", {"temperature": 0.5})
    assert (config.env.id, config.env.options, config.graph) == (["loans"], {"sop": "explicit"}, {"distractors": "all"})


@pytest.mark.parametrize("text", ["a-1,a-2", "[a-1,a-2]"])
def test_lists(text: str) -> None:
    config = compose(["env=loans,loans_graph", "agent=expert", f"task_ids={text}", "split=[heldout,validation]"])
    assert config.task_ids == ["a-1", "a-2"]
    assert (config.env.id, config.split) == (["loans", "loans_graph"], ["heldout", "validation"])
    assert compose(["env=loans", "agent=expert", "stage=2,1,2"]).stage == [1, 2]
    assert compose(["env=loans", "agent=expert", "stage=1"]).stage == [1]


def test_null_stands_for_the_default_and_numbers_are_names() -> None:
    names = ("trials", "split", "seed", "overwrite", "limits", "tools", "run_dir")
    config = compose(["env=loans", "agent=7", *(f"{name}=null" for name in names)])
    assert config.model_dump() == compose(["env=loans", "agent='7'"]).model_dump()
    assert compose(["env=loans", "agent=expert", "run_dir=2026"]).run_dir == "2026"


NAMES = ["1e3", "007", "1_000", "1.10", "0x10", "true", "OFF", "inf", "nan", "+5", "-1", "2024-01-01", "1e400"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_as_it_was_typed(name: str) -> None:
    config = compose(["env=loans", "agent=expert", f"run_dir={name}", f"filtered_from={name}", f"task_ids={name}"])
    assert (config.run_dir, config.filtered_from, config.task_ids) == (name, name, [name])
    assert compose(["env=loans", f"agent={name}", f"task_ids=[a, {name}]"]).task_ids == ["a", name]
    assert compose(["env=loans", f"agent={name}"]).agent.id == name
    served = compose(["env=loans", "endpoint=vllm", f"agent.model={name}", f"agent.name={name}"])
    assert (served.agent.options["model"], served.agent.options["name"]) == (name, name)


def test_the_paper_s_preset_gives_way_to_what_is_said() -> None:
    config = compose(["env=loans", "agent=runs/x", "preset=paper"])
    assert (config.tools, config.env.options) == ("full", {"sop": "abstract"})
    assert (config.agent.options, config.graph) == ({"temperature": 0.1}, {"distractors": "all"})
    config = compose(["env=loans", "agent=runs/x", "preset=paper", "tools=filtered", "agent.temperature=1.0"])
    assert (config.tools, config.agent.options) == ("filtered", {"temperature": 1.0})
    assert compose(["env=loans", "agent=expert", "preset=paper"]).agent.options == {}


@pytest.mark.parametrize("name", ENDPOINTS)
def test_every_endpoint_composes_with_the_paper_s_preset(name: str) -> None:
    config = compose(["env=loans", f"endpoint={name}", "preset=paper", "agent.model=m"])
    assert config.agent.id == "endpoint"
    assert (config.agent.options["model"], config.agent.options["temperature"]) == ("m", 0.1)
    assert str(config.agent.options["base_url"]).startswith("http")


@pytest.mark.parametrize("name", ENDPOINTS)
def test_the_paper_s_preset_prompts_as_the_paper_does(name: str) -> None:
    assert compose(["env=loans", f"endpoint={name}"]).agent.options["protocol"] == "native"
    assert compose(["env=loans", f"endpoint={name}", "preset=paper"]).agent.options["protocol"] == "react"
    said = compose(["env=loans", f"endpoint={name}", "preset=paper", "agent.protocol=native"])
    assert said.agent.options["protocol"] == "native"


@pytest.mark.parametrize(("group", "choice"), CHOICES)
def test_every_choice_of_every_group_composes(group: str, choice: str) -> None:
    compose(["env=loans", "agent=expert", f"{group}={choice}"])


def test_variations_are_options_of_the_env() -> None:
    config = compose(["env=loans", "agent=expert", "variation=drawn", "env.perturb=3"])
    assert config.env.options == {"policy_shift": 1, "schema_shift": 1, "perturb": 3, "faults": 1, "distractors": 40}
    check_options({"env": config.env.options, "graph": config.graph}, config.said, ids_of(config.env.id, None))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("agent=expert", "env: expected text, or a list of such, not empty, got nothing"),
        ("env=loans", "agent: expected agent=NAME, agent=FOLDER or endpoint=NAME, got nothing"),
        ("env=loans agent=expert trails=3", "did you mean 'trials'?"),
        ("env=loans agent=expert distractors=3", "options of the env are written env.distractors=…"),
        ("env=loans agent=expert limits.euro=3", "limits.euro: no such setting; expected one of tokens, usd, hours"),
        ("env=loans agent=expert limits=5", "limits: expected settings, some of tokens, usd, hours, got 5"),
        ("env=loans agent=expert limits.usd=0", "limits.usd: expected a number, above 0, or null, got 0"),
        ("env=loans agent=expert trials=often", "trials: expected a whole number, at least 1, got 'often'"),
        ("env=loans agent=expert trials=0", "trials: expected a whole number, at least 1, got 0"),
        ("env=loans agent=expert seed=-1", "seed: expected a whole number, at least 0, got -1"),
        ("env=loans agent=expert stage=3", "stage[0]: expected one of 1, 2, got 3"),
        ("env=loans agent=expert stage=true", "stage[0]: expected one of 1, 2, got True"),
        ("env=loans agent=expert split=[]", "split: expected text, or a list of such, not empty, got []"),
        ("env=loans agent=expert split=hedlout", "split[0]: expected one of train, "),
        ("env=loans agent=expert n=1 task_ids=loans-0001", "n and task_ids: expected one of them, got both"),
        ("env=loans agent=expert overwrite=maybe", "overwrite: expected true or false, got 'maybe'"),
        (
            "env=loans agent=expert preset=papr",
            "preset: expected one of none, paper, got 'papr'; did you mean 'paper'?",
        ),
        ("env=loans agent=expert run_dir=", "run_dir: expected text, not empty, or null, got nothing"),
        (f"env=loans agent=expert run_dir={'x' * 300}", "run_dir: expected a folder that can be made"),
        ("env=loans agent=expert expert", "expected key=value"),
        ("env=loans agent=expert agent.x=[", "'agent.x=[' cannot be read"),
        ("env= agent=expert", "env[0]: expected text, not empty, got nothing"),
        ("env=loans endpoint=vlm agent=x", "endpoint: expected one of "),
        ("env=loans agent=expert endpoint=vllm agent.model=m", "agent: expected an agent or endpoint=…, got 'expert'"),
    ],
)
def test_mistakes_are_told(words: str, told: str) -> None:
    with pytest.raises(SettingsError) as caught:
        compose(words.split())
    (problem,) = caught.value.problems
    assert told in problem


def test_all_mistakes_are_told_at_once() -> None:
    words = ["trials=0", "seed=x", "endpoint=vlm", "split=[]", "tols=full", "agent.x=["]
    with pytest.raises(SettingsError) as caught:
        compose(["env=loans", "agent=expert", *words])
    keys = [problem.partition(":")[0] for problem in caught.value.problems]
    assert [keys[0], *keys[2:]] == ["endpoint", "split", "trials", "seed", "tols"]
    assert keys[1].startswith("'agent.x=[' cannot be read")


def test_every_setting_is_in_the_help() -> None:
    text = describe(EvalConfig)
    for name in EvalConfig.model_fields:
        assert f"\n  {name}" in f"\n{text}"
    assert "Times each task is played, for pass^k. (a whole number, at least 1; 1)" in text


def test_ids() -> None:
    assert ids_of(["loans"], None) == ["Teller-Loans-v0"]
    assert ids_of(["loans"], [1, 2]) == ["Teller-LoansGraph-v0", "Teller-Loans-v0"]
    assert ids_of(["loans", "Teller-Loans-v0"], [1]) == ["Teller-LoansGraph-v0"]
    assert "Teller-Loans-v0" in ids_of(["all"], None)
    assert not any("Graph" in env_id for env_id in ids_of(["all"], None))
    assert "Teller-LoansGraph-v0" in ids_of(["all"], [1, 2])
    with pytest.raises(OptionError, match="got 'lones'"):
        ids_of(["lones"], None)


def test_modules_that_cannot_be_are_told() -> None:
    for name in (":loans", "a b:loans", ".x:loans"):
        with pytest.raises(OptionError, match="env: expected a module before the colon"):
            ids_of([name], None)
    with pytest.raises(OptionError, match="is its folder on PYTHONPATH"):
        ids_of(["no.such.module:loans"], None)


def test_options_of_a_stage_that_is_not_played_are_told() -> None:
    for word, env in (("graph.distractors=3", "loans"), ("env.sop=explicit", "loans_graph")):
        config = compose([f"env={env}", "agent=expert", word])
        with pytest.raises(SettingsError, match=f"{word.partition('.')[0]}.*: no environment of stage"):
            check(config)
    check(compose(["env=loans", "agent=expert", "preset=paper"]))


def test_all_options_that_do_not_exist_are_told() -> None:
    with pytest.raises(SettingsError) as caught:
        check(compose(["env=loans", "agent=expert", "env.colour=red", "env.sopp=explicit"]))
    assert [problem.partition(":")[0] for problem in caught.value.problems] == ["env.colour", "env.sopp"]


def check(config: EvalConfig) -> None:
    check_options({"env": config.env.options, "graph": config.graph}, config.said, ids_of(config.env.id, None))
