"""The checks behind ``teller-gym check``: that an env can be solved, cannot be cheated, and repeats itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from teller_gym.proof.command import run
    from teller_gym.proof.report import PackageReport, ProofItem, ProofReport
    from teller_gym.proof.suite import check_env, check_package

__all__ = ["PackageReport", "ProofItem", "ProofReport", "check_env", "check_package", "run"]


def __getattr__(name: str) -> Any:
    """Load the checks on first use; raises AttributeError for any other name."""
    if name == "run":
        from teller_gym.proof.command import run

        return run
    if name in ("check_env", "check_package"):
        from teller_gym.proof import suite

        return getattr(suite, name)
    if name in __all__:
        from teller_gym.proof import report

        return getattr(report, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it exports: {', '.join(__all__)}")
