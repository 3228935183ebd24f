"""Read laws in float64: probabilities, quantiles and expected errors. These numbers decide no outcome.

`read_law` adds the methods of this folder to a law of the kernel. The folder imports only the kernel and errors.
"""
