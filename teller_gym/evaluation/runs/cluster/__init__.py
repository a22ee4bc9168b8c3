"""A run spread over the machines of a Ray cluster; see docs/evaluate/cluster.md. Ray is imported when a plan is played."""

from teller_gym.evaluation.runs.cluster.crew import ClusterConfig, ClusterCrew, connected

__all__ = ["ClusterConfig", "ClusterCrew", "connected"]
