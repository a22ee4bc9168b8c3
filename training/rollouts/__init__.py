"""Model rollouts, and the engines that generate their turns."""
