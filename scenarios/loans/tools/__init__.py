"""Tools of the loans scenario: twenty in the API graph, and auxiliary tools of the bank around it."""
