"""Generator of savings requests and the bank records around them."""
