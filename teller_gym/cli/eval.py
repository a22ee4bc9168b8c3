"""Command `teller-gym eval`, which evaluates an agent on a split, records its episodes and prints the metrics."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from teller_gym.cli.common import Parser, print_json, require, tell
from teller_gym.cli.eval_envs import check_options, ids_of
from teller_gym.cli.exit_codes import FAILED, OK, STOPPED
from teller_gym.cli.interrupt import note
from teller_gym.evaluation import Report, evaluate
from teller_gym.evaluation.runs.limits import Limits
from teller_gym.evaluation.runs.parts import Selection

if TYPE_CHECKING:
    from teller_gym.cli.eval_config import EvalConfig

EXAMPLE = """\
  teller-gym eval env=loans agent=expert run_dir=runs/expert
  teller-gym eval env=loans agent=random split=validation n=16 trials=3
  teller-gym eval env=loans agent=runs/demo/sft/checkpoint concurrency=16 agent.temperature=0.1 env.sop=explicit
  teller-gym eval env=all stage=[1,2] endpoint=vllm agent.model=Qwen/Qwen3-8B concurrency=32 run_dir=runs/qwen3-8b
  teller-gym eval env=loans endpoint=gpt_5 preset=paper tools=filtered stage=[1,2] limits.usd=20 run_dir=runs/gpt-5
  teller-gym eval env=loans agent=expert variation=drawn env.distractors=all --show
  teller-gym eval env=all preset=paper endpoint=gpt_5 --estimate                 tokens, dollars and hours beforehand"""

_ABOUT = """Play an agent over splits and measure it.

A setting is written key=value, a group's option group.option=value, a list [a,b]. A file of configs/ is chosen by its
group: endpoint=NAME, preset=NAME, variation=NAME."""


def run(argv: list[str]) -> int:
    """Run an evaluation and return the exit code.

    Returns:
        1 if no episode was valid, 3 if a limit stopped the run, otherwise 0.
    """
    require("teller-gym eval, of reference agents too,", "eval", "hydra", "pydantic")
    from teller_gym.cli.eval_config import EvalConfig, compose
    from teller_gym.configuration.settings import describe
    from teller_gym.configuration.variables import naming_variables

    parser = Parser("eval", f"{_ABOUT}\n\nsettings:\n{describe(EvalConfig)}", EXAMPLE)
    parser.add_argument("overrides", nargs="*", metavar="key=value", help="settings as Hydra writes them, see above")
    parser.add_argument("--show", action="store_true", help="print the resolved configuration and stop")
    parser.add_argument("--json", action="store_true", help="print the report as JSON instead of a table")
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    parser.add_argument("--estimate", action="store_true", help="print tokens, dollars and hours of the run and stop")
    parser.add_argument(
        "--thoughts", type=int, default=0, metavar="N", help="with --estimate: tokens that a model thinks an answer"
    )
    options = parser.read(argv)
    if options.thoughts < 0 or (options.thoughts and not options.estimate):
        parser.error("--thoughts: expected a number of 0 or more beside --estimate")
    keys = {word.partition("=")[0].lstrip("+") for word in options.overrides}
    # An estimate does not require an agent.
    nobody = ["agent=expert"] if options.estimate and not keys & {"agent", "endpoint", "agent.id"} else []
    config = compose([*options.overrides, *nobody])
    with naming_variables(config.variables):
        return _run(config, options)


def _run(config: EvalConfig, options: Namespace) -> int:
    from teller_gym.configuration.settings import show

    env_ids = ids_of(config.env.id, config.stage)
    check_options({"env": config.env.options, "graph": config.graph}, config.said, env_ids)
    if options.show:
        resolved = config.shown()
        if options.json:
            print_json(resolved)
        else:
            print(show(resolved))
        return OK
    if options.estimate:
        return _estimated(config, env_ids, options)
    note(
        "nothing was written"
        if config.run_dir is None
        else f"what was played is kept in {config.run_dir}; the same command continues"
    )
    report = _evaluated(config, env_ids, shown=not options.quiet)
    if options.json:
        print_json(report.to_dict())
        for line in report.told_defects():  # included in the table otherwise
            tell(line)
    else:
        print(report.table())
        print(f"\n{report.summary()}")
    if not options.quiet:
        tell(
            "nothing was written; run_dir=runs/NAME keeps transcripts and report"
            if config.run_dir is None
            else f"transcripts and report.json are in {config.run_dir}; teller-gym report draws their figures"
        )
    if report.counted + report.invalid < report.planned:
        return STOPPED
    return OK if report.counted else FAILED


def _estimated(config: EvalConfig, env_ids: list[str], options: Namespace) -> int:
    from teller_gym.evaluation.runs.estimate import estimate, estimate_dict, estimate_text, preset_prices, prices_of

    selection = Selection(
        env_ids=tuple(env_ids), splits=tuple(config.split), n=config.n,
        task_ids=None if config.task_ids is None else tuple(config.task_ids), seed=config.seed,
        options=config.env.options, graph_options=config.graph, tools=config.tools,
    )  # fmt: skip
    found = estimate(selection.parts(), trials=config.trials, seed=config.seed, thoughts=options.thoughts)
    own = prices_of(config.agent.options)
    is_model = config.agent.options.get("model") is not None
    prices = {str(config.agent.options.get("model")): own} if own is not None else {} if is_model else preset_prices()
    if options.json:
        print_json(estimate_dict(found, prices, config.concurrency, config.agent.options))
    else:
        print(estimate_text(found, prices, config.concurrency, config.agent.options))
    return OK


def _evaluated(config: EvalConfig, env_ids: list[str], shown: bool) -> Report:
    return evaluate(
        config.agent.id or "",
        env_ids,
        config.split,
        n=config.n,
        task_ids=config.task_ids,
        run_dir=config.run_dir,
        trials=config.trials,
        concurrency=config.concurrency,
        seed=config.seed,
        env_kwargs=config.env.options,
        graph_kwargs=config.graph,
        agent_kwargs=config.agent.options,
        tools=config.tools,
        filtered_from=config.filtered_from,
        limits=Limits(**config.limits.model_dump()),
        overwrite=config.overwrite,
        progress=shown,
    )
