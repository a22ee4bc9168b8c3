"""The generator: draws a request, the small bank around it, and nothing that reveals the outcome."""
