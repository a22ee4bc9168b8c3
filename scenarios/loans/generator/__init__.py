"""The instance generator of the loans scenario: a plan of what should happen, then a bank in which it does."""
