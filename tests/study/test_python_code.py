"""A study as a program that runs."""

import noisewise as nws
from noisewise.study.study import Study
from tests.study.worlds import STUDY, made

MORE = """
[[ask]]
name = "when"
question = "median"
column = "day"
bounds = [2020-01-01, 2024-01-01]
granularity = "7d"
epsilon = "1/30"
"""


def test_the_program_asks_the_same_and_pays_the_same(tmp_path):
    text = (STUDY + MORE).replace("types = {", 'types = {day = "date", ')
    study = Study.read(made(tmp_path, text))
    rows = (tmp_path / "staff.csv").read_text().replace("salary\n", "salary,day\n").splitlines()
    (tmp_path / "staff.csv").write_text("\n".join([rows[0], *(f"{row},2021-05-05" for row in rows[1:]), ""]))
    names = {}
    exec(compile(study.to_python(), "study", "exec"), names)
    assert list(names["answers"]) == ["pay", "heads", "parts", "when"]
    assert len(names["answers"]["heads"]) == 2
    ledger = nws.Ledger.open(tmp_path / "staff.ledger")
    assert (ledger.unit, ledger.spent, len(ledger)) == ("person", study.price().total, 4)


def test_a_study_without_a_ledger_is_a_program_without_one():
    text = STUDY.replace('ledger = "staff.ledger"\nepsilon = 1\n', "")
    code = Study.parse(text).to_python()
    assert "ledger" not in code and "fractions" not in code
    assert "data.group_by('dept', keys=['A', 'B']).count(epsilon=0.2)" in code


def test_a_graph_is_paid_by_a_ledger_of_edges():
    text = '[data]\nfile = "x.csv"\n[budget]\nledger = "l"\nepsilon = 1\n[[ask]]\nname = "t"\n'
    text += 'question = "triangles"\nedges = ["a", "b"]\nnodes = 9\nepsilon = 0.1\n'
    assert "budget=nws.PureDP(epsilon=1.0), unit='edge')" in Study.parse(text).to_python()
