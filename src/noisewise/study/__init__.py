"""Studies: a whole publication in one file, judged, priced, tried out and run as one.

Read `study` (the value) and `running` (pay once, draw, write) first. `document`, `values`, `document_keys` and
`reading` read the file, `schema` says the same to editors. `binding`, `checking` and `searching` judge all questions
without paying, `pricing` says what they cost. `journal` keeps what was drawn, `study_release` and `publishing` write
it, `python_code` writes the same study as a program.

It imports datasets, planning and what stands below them. The explorer and the command line may import it.
"""
