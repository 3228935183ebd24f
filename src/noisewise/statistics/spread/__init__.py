"""How widely records are spread: distances between quantiles, and the median absolute deviation."""
