"""Run the check: `python -m teller_gym.training.gpu_check`."""

from teller_gym.base.output import take_any_text
from teller_gym.training.gpu_check.check import main

if __name__ == "__main__":
    take_any_text()
    raise SystemExit(main())
