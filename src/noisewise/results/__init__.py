"""What people get: releases, tables, pictures and reports. Nothing here is secret.

Read `release` first: an answer with its price and whom it protects. `grouped_release` and `joint_release` hold
several. `card` is a record to file, `report` a page of them, `tidy` a long table. `release_html` and
`release_picture` show a release in a notebook. `pictures/` draws SVG text without a library.

It imports the kernel, the ledger and tables. Questions and all that stands above may import it.
"""
