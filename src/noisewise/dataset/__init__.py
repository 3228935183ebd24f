"""A table of people, and its groups, asked by methods and paid from one ledger.

Read `dataset` first: whose rows belong to whom, and who pays. `methods` has every question as a method, one line each.
`grouped` asks about each group. `batches` answers for all groups by one debit, and `many_groups` refuses
what would take minutes. `timed` turns questions about dates into questions about numbers, and answers back.
`answer_columns` names the numbers of an answer. `facts` completes questions by what is known about columns, and
`document` reads the files that say it. `any_groups` checks questions before their groups are searched for. `sql` asks
statements in SQL.

It imports questions, tables, results and what stands below them. Studies, audits, the explorer, the command line and
`hazmat` may import it.
"""
