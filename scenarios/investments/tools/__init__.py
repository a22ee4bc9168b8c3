"""Tools of the brokerage desk."""
