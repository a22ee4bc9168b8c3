"""The tools of deposit account services: those of the API graph, and those of the bank around it."""
