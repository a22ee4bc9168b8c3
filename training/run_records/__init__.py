"""Records of a run over its phases: settings lock, W&B runs, evaluations and outcome."""
