"""Studies: a whole publication in one file, which is checked, priced, tried out and run as one.

Read `study` (the value) and `running` (pay once, draw, write) first. `document_keys` and `reading` read the file,
and `schema` describes it to editors. `binding`, `checking` and `searching` check all questions without
paying, and `pricing` says what they cost. `journal` keeps the answers that were drawn, `study_release` and `publishing`
write them, and `python_code` writes the same study as a program.

It imports datasets, planning and what stands below them. The explorer and the command line may import it.
"""
