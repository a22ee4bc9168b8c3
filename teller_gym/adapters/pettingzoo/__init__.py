"""Environments with PettingZoo's interface."""
