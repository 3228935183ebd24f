"""What people get: releases, tables, pictures and reports. Nothing here is secret.

Read `release` first: an answer with its price and whom it protects. `joint_release` and `grouped_release` hold several
answers. `tidy` takes the numbers out of a release, a row each, for data frames, for `release_html` in notebooks and for
`release_picture`. `card` is a record of a release to file, `report` a page of releases and their ledger. `pictures/`
draws SVG without a library.

It imports the kernel, the ledger and tables. Questions and all that stands above may import it.
"""
