"""Rollouts of a model, and the engines that generate for them."""
