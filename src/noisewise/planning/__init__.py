"""How good an answer will be, before it is paid for.

Read `asked` first: it turns every way to say a question into one value that lacks only its data. Then read `plan`: it
says what holds for all data (questions/promise.py), and what to expect if the data is like one of the `shapes`. `goal`
finds the epsilon for a goal. `sweep` and `plan_table` hold several plans. `simulate` and `compare` measure errors on
public data; their results say that they are not private. `readings/` reads laws in floats.

A wrong plan misleads, but makes no answer less private.

It imports questions and what stands below them. Studies, audits, the explorer and the command line may import it.
"""
