"""Estimates the needs of a run's phases and their parts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from teller_gym.training.config.evaluation import task_count, validation_tasks
from teller_gym.training.config.rounds import RejectionConfig, RoundsConfig
from teller_gym.training.config.run import Config
from teller_gym.training.plan import disk, hours, memory, serving
from teller_gym.training.plan.lengths import lengths_of
from teller_gym.training.plan.memory import Setup
from teller_gym.training.plan.model import GIB, PlannedPhase, Room
from teller_gym.training.tasks.mixture import Mixture

DRILL_TOKENS = 100
"""Tokens per drill; each call of a drilled episode gives one drill."""


class Plannable(Protocol):
    """Interface of a phase for the planner."""

    def steps(self, config: Config) -> int:
        """Return the number of episodes, rounds or steps; 0 skips the phase."""

    def plan(self, planner: Planner) -> Sequence[PlannedPhase]:
        """Estimate the needs of the phase and of its evaluation."""


@dataclass(frozen=True)
class Tasks:
    """Number of tasks in an evaluation, without repeated trials, and in a validation."""

    evaluated: int
    validated: int

    @classmethod
    def of(cls, config: Config) -> Tasks:
        """Count the tasks of a run.

        Raises:
            OptionError: a split has fewer tasks than requested.
        """
        mixture, band = Mixture.of(config.env.id, config.env.options), config.band
        wanted = config.method.validation
        validated = validation_tasks(wanted, mixture.weights, band) if wanted.sft_steps or wanted.grpo_steps else []
        return cls(task_count(config.evaluation, mixture.evaluated, band), len(validated))


class Planner:
    """Estimates the phases of one run; memory estimates do not need the number of tasks."""

    def __init__(self, config: Config, tasks: Tasks | None = None) -> None:
        self.config = config
        self.tasks = tasks or Tasks(1, 1)
        self.setup = Setup.of(config)
        self.lengths = lengths_of(config)
        self.several = config.hardware.processes > 1 or config.hardware.serves
        self.colocated = config.hardware.generation == "vllm" and not config.hardware.serves

    def all(self, phases: Iterable[Plannable]) -> tuple[PlannedPhase, ...]:
        """Estimate the needs of a run's phases in order, and compare each with the card's memory."""
        return tuple(self._judged(one) for phase in phases if phase.steps(self.config) for one in phase.plan(self))

    def _judged(self, phase: PlannedPhase) -> PlannedPhase:
        room = self.config.hardware.card_gib
        if phase.needed <= room * GIB:
            return phase
        told = f"needs {phase.needed / GIB:.1f} GiB of a card that has {room:g}"
        return replace(phase, problems=(told, *phase.problems))

    def data(self, count: int) -> PlannedPhase:
        """Estimate the needs of expert episodes on the CPU and of the first checkpoint."""
        left = disk.data(self.config.env, count) + disk.checkpoint(self.setup)
        held = {} if self.config.hardware.sharded else {"weights": self.setup.width * self.setup.shape.parameters}
        return PlannedPhase(
            "data",
            memory.with_reserve(self.setup, held, several=False) if held else {},
            hours=count / hours.EPISODES_A_SECOND / 3600,
            disk=left,
            notes=(f"{count:,} episodes",),
        )

    def sft(self) -> PlannedPhase:
        sft, lengths = self.config.method.sft, self.lengths
        size = max(sft.batch_tokens, lengths.whole)
        found = memory.update(self.setup, "adamw", size)
        if not self.setup.cuda:
            found["output layer"] = memory.logits(self.setup, size * lengths.said // lengths.whole)
        cut = [(part.share, min(part.max_tokens or lengths.whole, lengths.whole)) for part in sft.curriculum]
        tokens = int(sft.trajectories * sum(share * length for share, length in cut))
        tokens += sft.drill_trajectories * lengths.turns * DRILL_TOKENS
        left, passing = disk.phase(self.setup, "adamw", bool(self.config.method.validation.sft_steps))
        return PlannedPhase(
            "sft", memory.with_reserve(self.setup, found, self.several), tokens, self._learning(tokens), left, passing,
            notes=(f"passes of {size:,} tokens",),
        )  # fmt: skip

    def _learning(self, tokens: int) -> float:
        """Return the hours for learning ``tokens`` tokens of expert conversations."""
        said = tokens * self.lengths.said / self.lengths.whole
        return hours.trained(self.config.hardware, hours.learned(self.setup, self.lengths, tokens, said))

    def rounds(self, name: str, wanted: RoundsConfig) -> list[PlannedPhase]:
        """Estimate the needs of playing and learning in all rounds of a method.

        On a GPU a separate process plays, beside the memory that the training process cannot release.
        """
        setup, samples, kept = self.setup, 1, 1
        if isinstance(wanted, RejectionConfig):
            samples, kept = wanted.samples, min(wanted.samples, wanted.per_task)
        episodes = wanted.tasks * samples
        at_once = min(wanted.at_once, episodes)
        if self.config.hardware.generation == "vllm":
            found = serving.engine_apart(setup, self.config.hardware, memory.CONTEXT)
        else:
            # The package's own sampler: a copy of the model, in 16 bits on a GPU, and its cache.
            width = 2 if setup.cuda else setup.width
            cache = serving.sampled(setup, at_once, self.lengths) * width // setup.precision.stream
            found = memory.with_reserve(setup, {"weights": width * setup.shape.parameters, "cache": cache}, False)
            found |= {"training": memory.CONTEXT} if setup.cuda else {}
        played = self._played(f"{name} rounds", found, episodes * wanted.rounds, at_once, 1, wanted.rounds, 1)
        # At most: each kept episode is learned, with the expert's share on top.
        learned = round(wanted.tasks * kept * wanted.passes / (1 - wanted.expert_share))
        tokens = wanted.rounds * learned * self.lengths.whole
        return [played, replace(self.sft(), name=f"{name} updates", tokens=tokens, hours=self._learning(tokens))]

    def updates(self) -> PlannedPhase:
        """Estimate the needs of GRPO updates, including the preceding passes over all rollouts."""
        grpo, hardware, loss, lengths = self.config.method.grpo, self.config.hardware, self.config.loss, self.lengths
        rows = grpo.tasks * grpo.group // (hardware.processes * loss.updates)
        # A rollout longer than the budget has a pass of its own.
        size = max(min(hardware.update_tokens, rows * lengths.longest), lengths.longest)
        found = memory.update(self.setup, grpo.optimizer, size, loss.beta)
        if self.colocated:
            asleep = serving.ASLEEP if hardware.vllm_sleep else int(hardware.vllm_memory * hardware.card_gib * GIB)
            found["vllm asleep" if hardware.vllm_sleep else "vllm"] = asleep
        tokens = grpo.steps * grpo.tasks * grpo.group * lengths.whole
        scored = tokens * lengths.after / lengths.whole
        operations = hours.learned(self.setup, lengths, tokens, scored)
        before = (loss.updates > 1 or (hardware.generation == "vllm" and loss.sampler_ratio != "off")) + (loss.beta > 0)
        operations += before * hours.scored(self.setup, lengths, tokens, scored)
        left, passing = disk.phase(self.setup, grpo.optimizer, bool(self.config.method.validation.grpo_steps))
        left += disk.episodes(grpo.steps * grpo.tasks)
        return PlannedPhase(
            "grpo updates", memory.with_reserve(self.setup, found, self.several), tokens,
            hours.trained(hardware, operations), left, passing, notes=(f"passes of {size:,} tokens",),
        )  # fmt: skip

    def rollouts(self) -> PlannedPhase:
        """Estimate the needs of GRPO rollouts, on the training cards or a server's cards."""
        grpo, hardware, beta = self.config.method.grpo, self.config.hardware, self.config.loss.beta
        held = memory.static(self.setup, grpo.optimizer, beta)
        total = grpo.tasks * grpo.group
        each = total // hardware.processes
        if hardware.live_episodes is not None:
            each = min(each, hardware.live_episodes)
        found = self._drawing(held, each)
        engines = hardware.processes
        if hardware.serves:
            engines = hardware.cards // hardware.vllm_tensor_parallel
            each = math.ceil(each * hardware.processes / engines)
        return self._played("grpo rollouts", found, total * grpo.steps, each, engines, grpo.steps, grpo.group)

    def _drawing(self, held: dict[str, int], chats: int, own: bool = False) -> dict[str, int]:
        """Return the memory by purpose on the card that generates turns, including ``held``.

        ``own`` forces the package's own sampler.
        """
        hardware = self.config.hardware
        share = int(hardware.vllm_memory * hardware.card_gib * GIB)
        if own or hardware.generation != "vllm":
            held = held | {"cache": serving.sampled(self.setup, chats, self.lengths)}
            return memory.with_reserve(self.setup, held, self.several)
        if hardware.serves:
            found = serving.engine(self.setup, share, hardware.vllm_tensor_parallel)
            return found | {"reserve": memory.CONTEXT + memory.NCCL}
        return memory.with_reserve(self.setup, held, self.several) | serving.engine(self.setup, share, 1)

    def _played(
        self, name: str, found: dict[str, int], episodes: int, wanted: int, engines: int, rounds: int, group: int
    ) -> PlannedPhase:
        """Estimate the needs of episodes that engines play in rounds."""
        hardware, lengths = self.config.hardware, self.lengths
        parallel = hardware.vllm_tensor_parallel if hardware.generation == "vllm" else 1
        room: Room | None = None
        problems: tuple[str, ...] = ()
        live = wanted
        if "vllm cache" in found:
            room = serving.room(self.setup, found["vllm cache"], lengths, wanted, parallel)
            live = min(wanted, max(1, room.mean))
            if not room.longest:
                # vLLM refuses to start.
                told = f"vLLM's cache would hold {room.tokens:,} tokens"
                problems = (f"{told}, and one episode may have {lengths.longest:,} (model.total_tokens)",)
        elif "cache" in found:
            room = Room(wanted * lengths.longest, wanted, wanted, wanted)
        played = hours.EpisodeRound(max(1, episodes // max(1, rounds)), engines, parallel, live, group)
        spent = hours.playing(self.config.hardware, self.setup, lengths, played) * rounds
        return PlannedPhase(name, found, episodes * lengths.whole, spent, room=room, problems=problems)

    def validations(self, phase: str, kind: str, beta: float) -> list[PlannedPhase]:
        """Estimate the needs of a phase's validations.

        The first process plays them beside its training memory.
        """
        hardware, wanted, sft = self.config.hardware, self.config.method.validation, self.config.method.sft
        every, steps = wanted.steps(phase), self.config.method.grpo.steps
        if not every or hardware.sharded:
            return []
        if phase == "sft":
            rows = hardware.processes * sft.accumulate * sft.batch_tokens
            steps = max(1, math.ceil(sft.trajectories * self.lengths.whole / rows))
        rounds = math.ceil(steps / every)
        held = memory.static(self.setup, kind, beta)
        chats = min(wanted.at_once, self.tasks.validated)
        own = phase != "grpo" or hardware.processes > 1
        if own and phase == "grpo" and self.colocated:
            held["vllm asleep"] = serving.ASLEEP
        found = self._drawing(held, chats, own)
        return [self._played(f"{phase} validation", found, self.tasks.validated * rounds, chats, 1, rounds, 1)]

    def evaluation(self, phase: str) -> PlannedPhase:
        """Estimate the needs of an evaluation.

        On a GPU it runs in a separate process, beside the memory that training cannot release.
        """
        hardware, wanted, setup = self.config.hardware, self.config.evaluation, self.setup
        count = self.tasks.evaluated * wanted.trials
        at_once = min(wanted.concurrency, count) if self.tasks.evaluated > 1 else wanted.concurrency
        left = memory.CONTEXT + serving.ASLEEP * (phase == "grpo" and self.colocated) if setup.cuda else 0
        if hardware.generation == "vllm":
            found = serving.engine_apart(setup, hardware, left)
        else:
            found = {"weights": (2 if setup.cuda else setup.width) * setup.shape.parameters}
            one = serving.sampled(setup, 1, self.lengths)
            if setup.cuda:
                # As in the recipe, four fifths of the free memory, and at least one chat.
                free = int(hardware.card_gib * GIB) - left - memory.CONTEXT - found["weights"]
                at_once = max(1, min(at_once, int(0.8 * free) // one))
                found["reserve"] = left + memory.CONTEXT
            found["cache"] = at_once * one
        played = self._played(f"{phase} evaluation", found, count, at_once, 1, 1, 1)
        return replace(played, disk=disk.episodes(count))
