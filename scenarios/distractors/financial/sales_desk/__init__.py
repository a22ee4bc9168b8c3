"""The sales desk: letters about products, opportunities and checklists of a branch."""
