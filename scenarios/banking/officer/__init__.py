"""What the experts of the bank procedures share; their solvers have a room of their own."""
