"""Budgets, accounting, and where entries are kept.

Read `ledger` (debited before data is read, never refunded) and `budget` (whether one more loss fits) first. `entries`
and `chain` say what is written and which row may follow which. `composition`, `curves`, `optimal` and `recursion` add
losses up. `amounts`, `refusals`, `ledger_report` and `registry` say it to people. `books/` keeps rows in
a SQLite file or in PostgreSQL and knows nothing of privacy.

What a ledger allows carries privacy: docs/proofs/ledger.md. What is written keeps its meaning for ever.

It imports the kernel and draws itself by `results.pictures`. Tables, questions and all that stands above may import it.
"""
