"""House, garden and lent tools."""
