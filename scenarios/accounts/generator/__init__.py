"""The generator of account requests: from a seed and a policy to a case and the small bank around it."""
