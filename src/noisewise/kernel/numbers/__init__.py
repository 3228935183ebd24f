"""Exact numbers, balls, and the lattice of records and answers. Read `exact`, `lattice` and `answers` first."""
