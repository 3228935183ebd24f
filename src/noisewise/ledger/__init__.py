"""Budgets, accounting, and where entries are kept."""
