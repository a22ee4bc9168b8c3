"""What the solvers of the bank procedures share; their experts have a room of their own."""
