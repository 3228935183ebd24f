"""How good an answer will be, before it is paid for.

Read `plan` first: what holds for all data (`promises`, with `noisy_sums`) and for data of a
guessed shape (`shapes`). `goal` finds the epsilon for a goal. `sweep` and `plan_table` hold several plans.
`simulate` and `compare` compute errors on public data from laws (`measured`), and their results say that they are not
private. `readings/` reads laws in floats.

A wrong plan misleads, but makes no answer less private.

It imports questions and what stands below them. Studies, audits, the explorer and the command line may import it.
"""
