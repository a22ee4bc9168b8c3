"""The generator of Investments: a request, its account file and the market around it."""
