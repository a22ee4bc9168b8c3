"""Files in a run folder: checksums, metrics, and errors when writing them."""
