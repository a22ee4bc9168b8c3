"""Training phases: fine-tuning, rejection sampling, corrections and GRPO."""
