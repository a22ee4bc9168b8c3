"""Claims about distractors: they resemble real tools, give no nearly correct answers, and do not affect the case."""
