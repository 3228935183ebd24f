"""The kernel: what must be right for an answer to be private. It imports NumPy, python-flint and itself."""
