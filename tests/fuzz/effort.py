"""Number of examples of the fuzz tests: limited in CI, larger under `make fuzz`."""

import os


def examples(usual: int) -> int:
    """Return the number of examples to try: `usual` times the factor in TELLER_GYM_FUZZ (1 if unset)."""
    return max(1, int(usual * float(os.environ.get("TELLER_GYM_FUZZ", "1"))))
