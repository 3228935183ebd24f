"""The explorer: a local page that shows the cost and the answers of a question about public data.

Read `state` (the checked form) and `answer` (all that is shown) first. `server` serves the page on the
loopback address. `data_files` are the files to pick from, `bindings` keeps private ones closed. `risk` says what an
epsilon means for one person, `exports` writes the question as Python, command and study. `page`, `form` and `pictures`
draw it.

It imports `hazmat`, planning, studies and what stands below them. Only the command line may import it.
"""
