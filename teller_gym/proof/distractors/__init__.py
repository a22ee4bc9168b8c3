"""Claims about distractors: they tempt, they do not nearly answer, and they leave the case alone."""
