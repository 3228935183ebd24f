"""A small study, and the file that it is about."""

STUDY = """\
# what we publish
[study]
title = "Staff"

[data]
file = "staff.csv"
types = {salary = "number"}

[people]
unit = "person"
contributions = 2

[budget]
ledger = "staff.ledger"
epsilon = 1

[[ask]]
name = "pay"
question = "median"
column = "salary"
bounds = [0, 100]
epsilon = 0.4

[[ask]]
name = "heads"
question = "count"
epsilon = 0.2
group_by = "dept"
keys = [
    "A",
    "B",
]

[[ask]]
name = "parts"
question = "quantiles"
column = "salary"
qs = [0.25, "1/2"]
bounds = [0, 100]
epsilon = 0.1
"""

SHORT = STUDY[: STUDY.rindex("[[ask]]")].replace('unit = "person"\ncontributions = 2\n', "")
"""Two questions, without people's names: quick to run."""


SEARCHED = """\
[data]
file = "staff.csv"

[people]
unit = "person"
contributions = 2

[budget]
ledger = "staff.ledger"
epsilon = 20
delta = 0.1

[[ask]]
name = "pay"
question = "median"
column = "salary"
bounds = [0, 100]
epsilon = 1
interval = 0.9
with_count = true
group_by = "dept"
key_epsilon = 8
key_delta = 0.01

[[ask]]
name = "all"
question = "count"
epsilon = 0.5
"""
"""Groups that are searched for, beside a question about all rows."""


def made(folder, text=STUDY, name="staff.toml"):
    """The study file, beside its data."""
    rows = [f"{k // 2},{'AB'[k % 2]},{k * k % 97}" for k in range(60)]
    (folder / "staff.csv").write_text("\n".join(["person,dept,salary", *rows, ""]))
    file = folder / name
    file.write_text(text)
    return file
