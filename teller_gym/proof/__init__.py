"""Claims of ``teller-gym check``: an env is solvable, cannot be gamed cheaply, and is reproducible."""

from teller_gym.proof.command import run
from teller_gym.proof.report import ProofItem, ProofReport
from teller_gym.proof.suite import check_env, check_envs

__all__ = ["ProofItem", "ProofReport", "check_env", "check_envs", "run"]
