"""Shows runs in a browser: every episode, its path through the procedure's graph, and two runs side by side."""

from teller_gym.viewer.serve import serve_view
from teller_gym.viewer.write import write_view

__all__ = ["serve_view", "write_view"]
