"""Schema shift, which shows the same tools with other names, order and descriptions, and splits some of them.

Only the agent's view changes; tools, graders, expert and solver do not. The mapping is public: :class:`ShiftedTools`
converts a call of the original schema to the shifted one, and the parser converts it back.
"""

from teller_gym.variation.schema.tools import ShiftedTools, shift_tools

__all__ = ["ShiftedTools", "shift_tools"]
