"""A private answer of any function of Python.

Read `blocks` first: the law. `copies` copies the records of a block, `worker` is the process that calls the function
on it, and `workers` keeps several of these. `wrap` is what users call.

This folder runs code of users on records, so privacy depends on it. It imports the rest of `dataset`.
Only the front door imports it.
"""
