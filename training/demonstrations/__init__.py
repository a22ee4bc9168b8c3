"""Expert trajectories, and batches of tokens made from them."""
