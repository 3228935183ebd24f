"""Numbers: exact ones as typed, ball arithmetic, the lattice that records and answers lie on."""
