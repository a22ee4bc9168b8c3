"""Generator of card requests and the bank records around them."""
