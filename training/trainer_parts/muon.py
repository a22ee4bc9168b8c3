"""Muon and AdamW as one optimizer: matrices of the layers by the one, embeddings, norms and the head by the other.

Both are torch's. Muon (Jordan et al. 2024) makes every update of a matrix nearly orthogonal; it is made for matrices
inside a network, and torch's takes nothing else. Its rates are scaled so that an update is as large as AdamW's
(``match_rms_adamw``), so one rate serves both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

OUTSIDE = ("embed", "lm_head")
"""Parts of the names of matrices that are not inside the network."""


def inside(named: Iterable[tuple[str, Tensor]]) -> tuple[list[Tensor], list[Tensor]]:
    """Part trained weights into matrices inside the network, and all others."""
    matrices: list[Tensor] = []
    others: list[Tensor] = []
    for name, weight in named:
        if weight.requires_grad:
            is_inside = weight.ndim == 2 and not any(part in name for part in OUTSIDE)
            (matrices if is_inside else others).append(weight)
    return matrices, others


class MuonAdamW(torch.optim.Optimizer):
    """The two as one, as trainers and schedules of rates take it.

    Args:
        named: weights by name; those that are not trained are left out.
        lr: rate of both.
        weight_decay: of the matrices; embeddings and norms have none.
        betas: of AdamW.
    """

    def __init__(
        self, named: Iterable[tuple[str, Tensor]], lr: float, weight_decay: float, betas: tuple[float, float]
    ) -> None:
        matrices, others = inside(named)
        self.parts: dict[str, torch.optim.Optimizer] = {
            "muon": torch.optim.Muon(matrices, lr=lr, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw"),
            "adamw": torch.optim.AdamW(others, lr=lr, betas=betas, weight_decay=0.0),
        }
        super().__init__([{"params": group["params"]} for group in self._groups()], {"lr": lr})
        self._join()

    def _groups(self) -> Iterator[dict[str, Any]]:
        for part in self.parts.values():
            yield from part.param_groups

    def _join(self) -> None:
        """Have the groups of the parts as one's own, so that a rate that is set here is set there."""
        self.param_groups = list(self._groups())

    def step(self, closure: Callable[[], Any] | None = None) -> None:  # type: ignore[override]
        """Update all weights; a closure, which no trainer gives, is refused.

        Raises:
            ValueError: a closure is given.
        """
        if closure is not None:
            raise ValueError("expected no closure: the two optimizers would call it twice")
        for part in self.parts.values():
            part.step()

    def state_dict(self) -> dict[str, Any]:
        """Return the state of both."""
        return {name: part.state_dict() for name, part in self.parts.items()}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a state of both."""
        for name, part in self.parts.items():
            part.load_state_dict(state_dict[name])
        self._join()
