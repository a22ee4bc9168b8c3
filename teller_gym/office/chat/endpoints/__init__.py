"""The endpoints below ``/api/v1/``, each a function from a call to the answer's JSON."""
