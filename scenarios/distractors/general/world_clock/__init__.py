"""Times of the world, calendars and events."""
