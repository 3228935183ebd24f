"""Laws read in float64: probabilities, quantiles, expected errors. They decide no outcome."""
