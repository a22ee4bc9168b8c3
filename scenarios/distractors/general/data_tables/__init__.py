"""Small tables of data as text."""
