"""Instance generator of the loans scenario: first draws a plan of the case, then the bank records that realise it."""
