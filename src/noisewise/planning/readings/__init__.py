"""Laws read in float64: probabilities, quantiles, expected errors. They decide no outcome.

`read_law` gives a law of the kernel the methods that read it. It imports the kernel and errors alone.
"""
