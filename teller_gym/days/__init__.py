"""Working days: a queue of cases of several desks with a law of its own, a clock, and acts that change others."""
