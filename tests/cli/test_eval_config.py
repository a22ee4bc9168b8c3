"""What `teller-gym eval` makes of its words."""

from __future__ import annotations

from importlib import resources

import pytest

from teller_gym.base.errors import OptionError
from teller_gym.cli.eval_config import compose
from teller_gym.cli.eval_envs import check_options, ids_of

ENDPOINTS = sorted(
    file.name.removesuffix(".yaml") for file in resources.files("teller_gym.configs").joinpath("endpoint").iterdir()
)


def test_defaults() -> None:
    config = compose(["env=loans", "agent=expert"])
    assert (config.envs, config.split, config.player, config.tools) == (["loans"], ["heldout"], "expert", "own")
    assert (config.trials, config.concurrency, config.seed, config.cluster) == (1, 1, 0, None)
    assert (config.stage, config.agent, config.env, config.graph, config.task_ids) == (None, {}, {}, {}, None)


def test_names_and_their_options_do_not_get_into_each_others_way() -> None:
    words = ["agent.temperature=0.5", "env.sop=explicit", "agent=runs/x", "env=loans", "graph.distractors=all"]
    config = compose(words)
    assert (config.player, config.agent) == ("runs/x", {"temperature": 0.5})
    assert (config.envs, config.env, config.graph) == (["loans"], {"sop": "explicit"}, {"distractors": "all"})


@pytest.mark.parametrize("text", ["a-1,a-2", "[a-1,a-2]"])
def test_lists(text: str) -> None:
    config = compose(["env=loans,loans_graph", "agent=expert", f"task_ids={text}", "split=[heldout,validation]"])
    assert config.task_ids == ["a-1", "a-2"]
    assert (config.envs, config.split) == (["loans", "loans_graph"], ["heldout", "validation"])


def test_the_paper_s_preset_gives_way_to_what_is_said() -> None:
    config = compose(["env=loans", "agent=runs/x", "preset=paper"])
    assert (config.tools, config.env, config.agent) == ("full", {"sop": "abstract"}, {"temperature": 0.1})
    assert config.graph == {"distractors": "all"}
    config = compose(["env=loans", "agent=runs/x", "preset=paper", "tools=filtered", "agent.temperature=1.0"])
    assert (config.tools, config.agent) == ("filtered", {"temperature": 1.0})
    assert compose(["env=loans", "agent=expert", "preset=paper"]).agent == {}


@pytest.mark.parametrize("name", [name for name in ENDPOINTS if name != "none"])
def test_every_endpoint_composes_with_the_paper_s_preset(name: str) -> None:
    config = compose(["env=loans", f"endpoint={name}", "preset=paper", "agent.model=m"])
    assert config.player == "endpoint"
    assert (config.agent["model"], config.agent["temperature"]) == ("m", 0.1)
    assert str(config.agent["base_url"]).startswith("http")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["agent=expert"], "env=… is missing"),
        (["env=loans"], "agent=… is missing"),
        (["env=loans", "agent=expert", "trails=3"], "did you mean 'trials'?"),
        (["env=loans", "agent=expert", "limits.euro=3"], "limits.euro: expected one of tokens, usd, hours"),
        (["env=loans", "agent=expert", "trials=often"], "trials: expected a whole number, got 'often'"),
        (["env=loans", "agent=expert", "stage=3"], r"stage: expected 1, 2 or \[1,2\], got 3"),
        (["env=loans", "agent=expert", "figure=maybe"], "figure: expected true or false"),
        (["env=loans", "agent=expert", "preset=papr"], "papr"),
        (["env=loans", "expert"], "expected key=value"),
        (["env=loans", "endpoint=vlm"], "endpoint: expected one of .*, got 'vlm'; did you mean 'vllm'"),
        (["env=loans", "agent=expert", "endpoint=vllm", "agent.model=m"], "agent=expert and endpoint=…: expected one"),
        (["env=loans", "agent=expert", "cluster.workers=3"], "cluster.workers: expected cluster=ray beside it"),
    ],
)
def test_mistakes_are_told(words: list[str], told: str) -> None:
    with pytest.raises(OptionError, match=told):
        compose(words)


def test_ids() -> None:
    assert ids_of(["loans"], None) == ["Teller-Loans-v0"]
    assert ids_of(["loans"], [1, 2]) == ["Teller-LoansGraph-v0", "Teller-Loans-v0"]
    assert ids_of(["loans", "Teller-Loans-v0"], [1]) == ["Teller-LoansGraph-v0"]
    assert "Teller-Loans-v0" in ids_of(["all"], None)
    assert not any("Graph" in env_id for env_id in ids_of(["all"], None))
    assert "Teller-LoansGraph-v0" in ids_of(["all"], [1, 2])
    with pytest.raises(OptionError, match="got 'lones'"):
        ids_of(["lones"], None)


def test_options_of_a_stage_that_is_not_played_are_told() -> None:
    for word, env in (("graph.distractors=3", "loans"), ("env.sop=explicit", "loans_graph")):
        config = compose([f"env={env}", "agent=expert", word])
        with pytest.raises(OptionError, match=f"{word.partition('.')[0]}.*: no environment of stage"):
            check_options(config, ids_of(config.envs, None))
    paper = compose(["env=loans", "agent=expert", "preset=paper"])
    check_options(paper, ids_of(paper.envs, None))
