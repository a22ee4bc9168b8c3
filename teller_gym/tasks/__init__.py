"""Frozen tasks on disk, fresh ones from the generator, how hard each is, and how frozen files are made."""
