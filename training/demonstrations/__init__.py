"""The expert's trajectories, and batches of tokens made from them."""
