"""The explorer: a local page that shows the cost and the answers of a question about public data.

Read `state` (the checked form) and `answer` (everything that is shown) first. `server` serves the page on the loopback
address. `data_files` opens the public files to pick from, and `bindings` refuses private files. `risk` says what an
epsilon means for one person. `exports` writes the question as Python, as a command and as a study. `page`, `form` and
`pictures` draw the page.

It may import `hazmat`, planning, studies, datasets and the packages below them. Only the command line may import it.
"""
