"""The house rules, and what lies about in the office beside the work."""
