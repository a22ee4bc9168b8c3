"""The phases of a run: fine-tuning, rejection, corrections and GRPO."""
