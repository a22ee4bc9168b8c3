"""Rollouts of a model, and the engines that generate their turns."""
