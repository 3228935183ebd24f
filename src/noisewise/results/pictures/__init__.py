"""Pictures of what was released or is public, and HTML for notebooks and reports. Nothing here sees a record.

Read `svg` (axes and marks) and `charts` first. It sees the kernel and errors alone, so that a ledger can draw itself.
"""
