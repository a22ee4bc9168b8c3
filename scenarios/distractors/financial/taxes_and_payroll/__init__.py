"""Taxes and payroll."""
