"""Expert trajectories and the token batches made from them."""
