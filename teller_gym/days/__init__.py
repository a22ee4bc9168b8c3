"""Working days: a queue of cases from several desks with its own SOP, a clock, and cases that affect each other."""
