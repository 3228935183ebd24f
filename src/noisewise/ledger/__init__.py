"""Budgets, accounting, and where entries are kept.

Read `ledger` first, which is debited before data is read and never refunded, and `budget`, which decides whether one
more loss fits. `entries` and `chain` define what a row says and which row may follow it. `composition`, `curves`,
`optimal` and `recursion` add losses up. `amounts`, `refusals`, `ledger_report` and `registry` write texts for people.
`books/` keeps rows in a SQLite file or in PostgreSQL and knows nothing of privacy.

Privacy depends on what a ledger allows: docs/proofs/ledger.md. What is written keeps its meaning for ever.

It imports the kernel and draws itself by `results.pictures`. Tables, questions and all that stands above may import it.
"""
