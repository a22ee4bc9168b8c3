"""Pieces of work in an office: what a task is, how its verdict looks, and what a scenario of such work offers."""
