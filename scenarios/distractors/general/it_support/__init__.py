"""IT support: tickets, printing, backups, file names."""
