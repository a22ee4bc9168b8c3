"""Process management: parallel training and isolated work."""
