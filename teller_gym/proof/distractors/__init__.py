"""Claims about distractors: they resemble real tools, give no nearly right answers, and do not affect the case."""
