"""Muon for the matrices inside the layers, AdamW for everything else, behind one optimizer.

A model that starts from random weights learns to copy in about half the tokens with Muon. torch has one of its own, but
it orthogonalises in bfloat16, which a CPU emulates slowly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
"""Coefficients of the quintic iteration that brings all singular values near 1."""


def orthogonalise(gradient: Tensor, steps: int = 5) -> Tensor:
    """Return the matrix (rows, columns) with its singular values moved to about 1."""
    a, b, c = NEWTON_SCHULZ
    tall = gradient.size(0) > gradient.size(1)
    x = gradient.float().T if tall else gradient.float()
    x = x / (x.norm() + 1e-7)
    for _ in range(steps):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    result: Tensor = (x.T if tall else x).to(gradient.dtype)
    return result


class MuonAdamW(torch.optim.Optimizer):
    """One optimizer with two rules; a parameter group says by its key ``muon`` which one it takes.

    Args:
        model: its two-dimensional weights go to Muon, except embeddings and the output head.
        lr: learning rate of AdamW; schedules scale both rates alike.
        muon_lr: learning rate of Muon, in units of the update's spectral norm.
        weight_decay: decoupled, on matrices only.
    """

    def __init__(self, model: torch.nn.Module, lr: float, muon_lr: float, weight_decay: float = 0.0) -> None:
        matrices: list[Tensor] = []
        others: list[Tensor] = []
        for name, parameter in model.named_parameters():
            if parameter.requires_grad:
                inside = parameter.ndim == 2 and "embed" not in name and "lm_head" not in name
                (matrices if inside else others).append(parameter)
        groups: list[dict[str, Any]] = [
            {"params": matrices, "lr": muon_lr, "muon": True, "weight_decay": weight_decay},
            {"params": others, "lr": lr, "muon": False, "weight_decay": 0.0},
        ]
        super().__init__([group for group in groups if group["params"]], {"lr": lr})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:  # type: ignore[override]
        """Update all parameters that have a gradient."""
        loss = closure() if closure else None
        for group in self.param_groups:
            rule = self._muon if group["muon"] else self._adamw
            for parameter in group["params"]:
                if parameter.grad is not None:
                    rule(parameter, parameter.grad, group)
        return loss

    def _muon(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self.state[parameter]
        if not state:
            state["momentum"] = torch.zeros_like(parameter)
        momentum = state["momentum"]
        momentum.mul_(0.95).add_(gradient)
        update = orthogonalise(gradient.add(momentum, alpha=0.95))
        parameter.mul_(1 - group["lr"] * group["weight_decay"])
        parameter.add_(update, alpha=-group["lr"] * max(1.0, parameter.size(0) / parameter.size(1)) ** 0.5)

    def _adamw(self, parameter: Tensor, gradient: Tensor, group: dict[str, Any]) -> None:
        state = self.state[parameter]
        if not state:
            state["step"] = 0
            state["mean"], state["square"] = torch.zeros_like(parameter), torch.zeros_like(parameter)
        state["step"] += 1
        mean, square = state["mean"], state["square"]
        mean.lerp_(gradient, 0.1)
        square.mul_(0.95).addcmul_(gradient, gradient, value=0.05)
        scale = (square / (1 - 0.95 ** state["step"])).sqrt_().add_(1e-8)
        parameter.addcdiv_(mean, scale, value=-group["lr"] / (1 - 0.9 ** state["step"]))
