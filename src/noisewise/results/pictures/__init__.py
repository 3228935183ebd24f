"""Pictures of what was released or is public, and HTML for notebooks and reports. Nothing here reads a record.

Read `svg` (axes and marks) and `charts` first. It imports only the kernel and errors, so that the ledger may use it.
"""
