"""Exact numbers, ball arithmetic, and the lattices of records and answers. Read `exact` and `lattice` first."""
