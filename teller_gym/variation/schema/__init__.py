"""Schema shift: the same tools under other names, in another order, with other descriptions, some of them split.

Only the agent's view changes, and neither the tools nor their graders, expert and solver. The mapping is public:
:class:`ShiftedTools` writes a call of the original schema in the shifted one, and the parser maps it back.
"""

from teller_gym.variation.schema.tools import ShiftedTools, shift_tools

__all__ = ["ShiftedTools", "shift_tools"]
