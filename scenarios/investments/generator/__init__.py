"""Instance generator of the investments scenario: a request, its account file, and the market."""
