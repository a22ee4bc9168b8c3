"""What the generator of the investments scenario draws: a request, its account file and the market around it."""
