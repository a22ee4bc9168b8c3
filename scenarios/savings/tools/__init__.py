"""Tools of the savings desk."""
