"""The tools of the brokerage desk."""
