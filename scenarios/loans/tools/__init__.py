"""The tools of the loans scenario: twenty of the API graph and the auxiliary tools of the bank around it."""
