"""Measures the bytes that a layer of every published shape keeps for its backward pass, and prints the table.

    python -m teller_gym.training.plan.measure_layers > training/plan/layers.yaml

Takes a minute on one CPU core and 2 GiB; no weights are needed.
"""

from __future__ import annotations

import sys

import yaml

from teller_gym.base.output import take_any_text
from teller_gym.training.models.shapes import published
from teller_gym.training.plan.layers import LONG, OFFERED, SHORT, measure, name_of
from teller_gym.training.run_folder.metrics_log import versions


def main() -> int:
    """Print the table as YAML."""
    used = {name: version for name, version in versions().items() if name in ("torch", "transformers", "peft")}
    shown = ", ".join(f"{name} {version.partition('+')[0]}" for name, version in sorted(used.items()))
    print("# Bytes a token that autograd keeps for one layer, its input not among them.")
    print("# Made by: python -m teller_gym.training.plan.measure_layers > training/plan/layers.yaml")
    print(f"# One layer on a CPU, {SHORT} and {LONG} tokens, the difference; {shown}.")
    print("# A layer is hidden-mlp-heads-kv_heads-head_dim.")
    layers = {name_of(shape): shape for shape in published().values()}
    for name, shape in layers.items():
        found = {precision.key: measure(shape, precision) for precision in OFFERED}
        sys.stdout.write(yaml.safe_dump({name: found}, sort_keys=False))
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    take_any_text()
    raise SystemExit(main())
