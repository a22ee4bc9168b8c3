"""Generator of account requests and the bank records around them."""
