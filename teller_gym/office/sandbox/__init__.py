"""Two computing tools for agents: Python that can access only the office's files, and a calculator.

`run_python` runs code in pydantic-monty (extra ``office``), an interpreter of a subset of Python, in a process that
serves one run. Functions give the code access to the office's files, but to no real file, environment variable, network
or clock. `calculate` does arithmetic with exact decimals.

Importing this package does not import pydantic_monty.
"""

from teller_gym.office.sandbox.calculating import CalculationError, calculate
from teller_gym.office.sandbox.execution import run_python
from teller_gym.office.sandbox.files import Files
from teller_gym.office.sandbox.outcome import Fault, Outcome, RunLimits

__all__ = ["CalculationError", "Fault", "Files", "Outcome", "RunLimits", "calculate", "run_python"]
