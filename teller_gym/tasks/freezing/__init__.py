"""Makes a scenario's frozen files: its instances, and the held-out splits that vary policy, schema or branches."""

from __future__ import annotations

from teller_gym.tasks.freezing.files import build, read_tasks, standing, write

__all__ = ["build", "read_tasks", "standing", "write"]
