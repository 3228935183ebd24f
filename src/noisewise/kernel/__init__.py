"""The kernel: what must be right for an answer to be private.

It puts records and answers on a lattice, turns an envelope or a score into a law, and draws from the law exactly. It
prices the draw, and debits a ledger before it reads a record. Read README.md first, then `settle`, `losses`,
`numbers/`, `laws/`, `mechanisms/` and `sampling/`.

It imports NumPy, python-flint, the standard library and itself. Everything else may import it.
"""
