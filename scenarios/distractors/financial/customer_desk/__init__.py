"""The service desk: callers, relationships, merchants and deposits."""
