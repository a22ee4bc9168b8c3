"""The house: canteen, cleaning, plants, energy, waste."""
