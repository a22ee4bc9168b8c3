"""Two computing tools for agents of the office: a Python that reaches only the office's files, and a calculator.

`run_python` runs code in pydantic-monty (extra ``office``), an interpreter of a subset of Python, in a process of its
own that is made for the run and ended with it. The code reaches the office's files by functions, and nothing else: no
real file, variable of the environment, network or clock. `calculate` is arithmetic with exact decimals.

Importing this package does not import pydantic_monty.
"""

from teller_gym.office.sandbox.calculating import CalculationError, calculate
from teller_gym.office.sandbox.execution import run_python
from teller_gym.office.sandbox.files import Files
from teller_gym.office.sandbox.outcome import Fault, Outcome, RunLimits

__all__ = ["CalculationError", "Fault", "Files", "Outcome", "RunLimits", "calculate", "run_python"]
