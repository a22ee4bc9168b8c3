"""Business lending: firms, their figures and their machines."""
