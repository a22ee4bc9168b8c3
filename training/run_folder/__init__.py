"""Files of a run folder: settings lock, checksums, metrics, and how the run ended."""
