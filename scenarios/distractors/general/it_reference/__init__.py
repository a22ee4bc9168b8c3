"""References of IT: networks, schedules, versions, codes."""
