"""The continuous densities of the paper, for analysis; never for a release."""
