"""SQL: a statement is translated into questions, and answered as the methods answer them.

Read `statement` first: what a statement may contain, and what questions it asks. `where` keeps SQL's meaning of NULL
in conditions, and `refusal` says where in the text something stands that cannot be asked. `sql_answer` pays, asks, and
puts the answers into the columns of the SELECT.

Only these files import sqlglot, when a statement is asked. They import what the dataset may import. Only
`Dataset.sql` and the command line import them.
"""
