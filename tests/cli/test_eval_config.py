"""Parsing of the command line of `teller-gym eval`."""

import pytest

from teller_gym.base.errors import SettingsError
from teller_gym.cli.eval_config import EvalConfig, compose
from teller_gym.cli.eval_envs import check_options, ids_of
from teller_gym.configuration.compose import choices, groups_of
from teller_gym.configuration.settings import describe

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
    names = ("trials", "split", "seed", "overwrite", "limits", "tools", "run_dir", "concurrency")
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
def test_the_paper_s_preset_prompts_every_endpoint_as_the_paper_does(name: str) -> None:
    config = compose(["env=loans", f"endpoint={name}", "preset=paper", "agent.model=m"])
    options = config.agent.options
    assert (config.agent.id, options["protocol"], options["temperature"]) == ("endpoint", "react", 0.1)
    assert options["model"] == "m" and str(options["base_url"]).startswith("http")
    said = compose(["env=loans", f"endpoint={name}", "preset=paper", "agent.protocol=native"])
    assert said.agent.options["protocol"] == "native"


def test_without_a_preset_the_protocol_is_native() -> None:
    assert compose(["env=loans", "endpoint=vllm"]).agent.options["protocol"] == "native"


@pytest.mark.parametrize(("group", "choice"), CHOICES)
def test_every_choice_of_every_group_composes(group: str, choice: str) -> None:
    compose(["env=loans", "agent=expert", f"{group}={choice}"])


def test_variations_are_options_of_the_env() -> None:
    config = compose(["env=loans", "agent=expert", "variation=drawn", "env.perturb=3"])
    assert config.env.options == {"policy_shift": 1, "schema_shift": 1, "perturb": 3, "faults": 1, "distractors": 40}
    check_options({"env": config.env.options, "graph": config.graph}, config.said, ids_of(config.env.id, None))


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
    assert "Number of times each task is played, for pass^k. (a whole number, at least 1; 1)" in text


def test_ids() -> None:
    assert ids_of(["loans"], None) == ["Teller-Loans-v0"]
    assert ids_of(["loans"], [1, 2]) == ["Teller-LoansGraph-v0", "Teller-Loans-v0"]
    assert ids_of(["loans", "Teller-Loans-v0"], [1]) == ["Teller-LoansGraph-v0"]
    assert "Teller-Loans-v0" in ids_of(["all"], None)
    assert not any("Graph" in env_id for env_id in ids_of(["all"], None))
    assert "Teller-LoansGraph-v0" in ids_of(["all"], [1, 2])


def test_all_options_that_do_not_exist_are_told() -> None:
    with pytest.raises(SettingsError) as caught:
        check(compose(["env=loans", "agent=expert", "env.colour=red", "env.sopp=explicit"]))
    assert [problem.partition(":")[0] for problem in caught.value.problems] == ["env.colour", "env.sopp"]


def check(config: EvalConfig) -> None:
    check_options({"env": config.env.options, "graph": config.graph}, config.said, ids_of(config.env.id, None))
