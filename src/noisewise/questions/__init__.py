"""Questions: a question is a value. It is checked and priced before it meets data.

Read `question` (the value), `request` (one statistic bound to data) and `payable` (cost, answer and receipt) first.
`terms`, `keywords` and `choice` read what people type. `noise_interval`, `two_sums` and `several_sums`
add intervals, `search` finds bounds, `with_count` adds a count. `composites/` holds questions of more than one draw,
`functions/` the questions as functions.

`request`, `pull` and `choice` carry privacy: they decide which envelope and which pull a mechanism gets.

It imports the kernel, statistics, the ledger, tables and results. Datasets, planning, studies, audits, the explorer and
the command line may import it.
"""
