"""Planning of staff."""
