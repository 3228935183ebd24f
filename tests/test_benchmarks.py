"""Benchmarks run on tiny sizes, with their tables and JSON. No test here depends on how long something takes."""

import importlib
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from noisewise.planning.readings.read_law import read_law

pytestmark = pytest.mark.rest

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture
def module(monkeypatch):
    """A benchmark file, imported with its folder first on the path, as if it were run."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module
    here = [n for n in set(sys.modules) - before if _lives_in_benchmarks(sys.modules[n])]
    for name in here:
        del sys.modules[name]


def _lives_in_benchmarks(found):
    return str(getattr(found, "__file__", None) or "").startswith(str(BENCHMARKS))


def test_every_round_runs_every_contender(module):
    calls = []
    times = module("measure").race({n: lambda n=n: calls.append(n) for n in "abc"}, rounds=4)
    assert list(times) == list("abc")
    assert [len(t.laps) for t in times.values()] == [4, 4, 4]
    assert [sorted(calls[i : i + 3]) for i in range(0, 12, 3)] == [list("abc")] * 4


def test_a_contender_out_of_patience_sits_out(module):
    calls = []
    times = module("measure").race({"slow": lambda: calls.append(1)}, rounds=9, patience=0.0)
    assert (calls, times["slow"].laps) == ([], ())


def test_ratios_pair_the_rounds_that_both_ran(module):
    times = module("measure").Times
    assert times((2.0, 4.0, 9.0)).over(times((1.0, 4.0))) == (2.0, 1.5)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.01234, "0.0123"), (0.5, "0.500"), (1.005, "1.00"), (99.94, "99.9"), (1234.5, "1,234")],
)
def test_numbers_have_three_digits(module, value, text):
    assert module("reporting").number(value) == text


def test_a_table_lines_up_and_becomes_markdown(module):
    table = module("reporting").Table("Title", ("a", "long"), [("one", "1"), ("three", "22")])
    assert table.text().splitlines() == ["Title", "", "  a       long", "  one        1", "  three     22"]
    assert table.markdown().splitlines()[1] == "| --- | ---: |"


def test_a_target_says_whether_it_is_met(module):
    reporting = module("reporting")
    targets = [reporting.Target("fast", 1.0, 0.5), reporting.Target("small", 1.0, 1.5)]
    assert [row[-1] for row in reporting.targets_table(targets).rows] == ["met", "NOT MET"]
    assert [t["met"] for t in reporting.Report("x", targets=targets).to_dict()["targets"]] == [True, False]


RUN = (BENCHMARKS / "run.py").read_text(encoding="utf-8")
NAMES = re.findall(r"^import (?!argparse|page)(\w+)$", RUN, re.MULTILINE)
TIMED = {"draws", "engines", "groups", "joint", "ledger", "median", "startup", "summaries"}
"""Benchmarks of time; others measure accuracy or memory."""


def test_every_benchmark_has_a_name(module):
    assert set(module("run").BENCHMARKS) == set(NAMES) and len(NAMES) > 15


@pytest.mark.parametrize("name", [name for name in NAMES if name != "spark"])  # which needs Java
def test_every_benchmark_runs_and_is_kept(module, tmp_path, capsys, name):
    run, latest = module("run"), tmp_path / "latest.json"
    latest.write_text("the run before", encoding="utf-8")
    run.main(["--quick", "--only", name, "--out", str(latest)])
    assert latest.with_name("previous.json").read_text(encoding="utf-8") == "the run before"
    found = json.loads(latest.read_text(encoding="utf-8"))
    printed = capsys.readouterr().out
    assert set(found["benchmarks"]) == {name}
    assert found["machine"].keys() == {
        *("cpu", "cores", "load_average", "noisewise", "packages", "python", "system"),
    }
    (report,) = found["benchmarks"].values()
    if name != "experiments":  # which are of public data
        assert report["records"] and report["tables"]
        assert any(timing["ours"] for timing in report["timings"]) == (name in TIMED)
    assert all(table["title"] in printed for table in report["tables"])


def _timings(module, tmp_path, name, **seconds):
    """A results file with three rounds of ours and of NumPy's."""
    reporting = module("reporting")
    timings = [reporting.Timing.of(who, laps, ours=who == "ours") for who, laps in seconds.items()]
    path = tmp_path / f"{name}.json"
    reporting.write(reporting.results([reporting.Report("x", timings=timings)], {}), path)
    return str(path)


@pytest.mark.parametrize(
    ("ours", "numpy", "code", "said"),
    [
        ((1.5, 1.6, 1.7), (1, 1.1, 1.2), 1, "1 slower, 0 faster"),
        ((1.5, 1.6, 1.7), (1.5, 1.6, 1.7), 0, "0 slower, 0 faster"),  # the machine was
        ((1.05, 1.06, 1.07), (1, 1.1, 1.2), 0, "0 slower, 0 faster"),  # too little
        ((1.2, 1.05, 1.9), (1, 1.1, 1.2), 0, "0 slower, 0 faster"),  # as it varies
        ((0.5, 0.6, 0.7), (1, 1.1, 1.2), 0, "0 slower, 1 faster"),
        ((1.0, 1.01, 1.02), (0.5, 0.6, 0.7), 1, "1 slower, 0 faster"),  # on a machine that was faster
    ],
)
def test_what_got_slower_is_named(module, tmp_path, capsys, ours, numpy, code, said):
    before = _timings(module, tmp_path, "before", ours=(1.0, 1.01, 1.02), numpy=(1, 1.1, 1.2))
    after = _timings(module, tmp_path, "after", ours=ours, numpy=numpy)
    assert module("slower").main([before, after]) == code
    assert said in capsys.readouterr().out


def test_a_first_run_has_nothing_to_compare_with(module, tmp_path, capsys):
    assert module("slower").main([str(tmp_path / "none.json"), str(tmp_path / "none.json")]) == 0
    assert "run benchmarks/run.py twice" in capsys.readouterr().out


def test_what_further_rows_cost_in_spark_follows_from_the_two_largest_sizes(module):
    spark = module("spark")
    work = {(rows, "median"): spark.Work(1, 5 + rows * 6e-8, 2, 10) for rows in (10**6, 10**7, 10**8)}
    ((_, sizes, row, billion, more, cores, moved),) = spark._extrapolated(work).rows
    assert sizes == "10,000,000 to 100,000,000"
    assert (row, billion, more) == ("60.0 ns", "1.00 core-minutes", "16.7 core-hours")
    assert (cores, moved) == ("1.00 minutes", "0 GB")


def test_a_report_that_lacks_a_table_of_the_documentation_is_not_kept(module, tmp_path, monkeypatch):
    page, reporting = module("page"), module("reporting")
    kept = tmp_path / "reference.json"
    table = reporting.Table("Title", ("a",), [("1",)])
    reporting.write(reporting.results([reporting.Report("x", [table])], {}), kept)
    shown = tmp_path / "page.md"
    shown.write_text("<!-- measured: Title -->\n", encoding="utf-8")
    monkeypatch.setattr(page, "RESULTS", kept)
    monkeypatch.setattr(page, "pages", lambda: [shown])
    monkeypatch.setattr(page, "kept", lambda: {"Title": reporting.Table("Title", ("a",), [("2",)])})
    assert "Title" in page.refer(reporting.Report("x"), {"cores": 3})
    assert "| 2 |" not in shown.read_text(encoding="utf-8")
    assert "is kept" in page.refer(reporting.Report("x", [table]), {"cores": 3})
    assert "| 2 |" in shown.read_text(encoding="utf-8")
    assert json.loads(kept.read_text(encoding="utf-8"))["machine"] == {"cores": 3}


def test_absent_peers_are_named(module, monkeypatch):
    peers = module("peers")
    monkeypatch.setattr(peers, "installed", lambda package: None)
    assert peers.available() == {}
    assert [line.partition(":")[0] for line in peers.absent()] == list(peers.PEERS)


def test_errors_of_a_csv_column(module, tmp_path):
    accuracy = module("accuracy")
    path = tmp_path / "people.csv"
    path.write_text("age,name\n30,a\n40,b\n,c\nold,d\n50,e\n", encoding="utf-8")
    asked = accuracy.Asked("age", accuracy.read(path, "age"), (0, 100), ["1"])
    record = read_law(accuracy).errors(asked, ["1"])[0]
    law = accuracy.nws.hazmat.law(
        accuracy.MEDIAN, [30, 40, 50], bounds=(0, 100), epsilon=1, mechanism="piecewise_laplace"
    )
    ages = range(101)
    by_hand = sum(p * abs(age - 40) for age, p in zip(ages, read_law(law).pmf(list(ages)), strict=True))
    assert record["piecewise_laplace"] == pytest.approx(by_hand)
    assert record["rounding"] == 0


def test_public_data_is_read_where_it_is(module, tmp_path):
    datasets = module("datasets")
    (tmp_path / "abalone.csv").write_text(
        "Length,Whole.weight,Rings\n0.4,0.5,15\n0.3,0.2,7\n", encoding="utf-8"
    )
    found = datasets.public(tmp_path)
    values = {column.field.name: column.values.tolist() for column in found.columns}
    assert (values["Abalone, whole weight"], values["Abalone, rings"]) == ([0.5, 0.2], [15, 7])
    assert "Adult, age" not in values
    assert [pairs.x.tolist() for pairs in found.pairs if pairs.name.startswith("Abalone")] == [[0.4, 0.3]]


def test_a_rival_that_fails_is_said_to(module):
    rivals, errors = module("rivals"), module("errors")

    def fails():
        raise RuntimeError("no candidate")

    assert rivals.sampled(lambda: 3.0, 1.0, least=2, most=2) == (2.0, 2)
    error, draws = rivals.sampled(fails, 1.0, least=2, most=2)
    record = {"opendp": error, "opendp_draws": draws, "auto": 0.5, "step": 1.0, "range": 10.0}
    assert errors.cell(record, "opendp") == "fails"
    assert errors.ratio(record, "opendp") is None
    assert errors.cell(record, "diffprivlib") == "-"


def test_the_pages_are_filled_from_the_results(module):
    page = module("page")
    assert {"speed.md", "accuracy.md", "experiments.md"} <= {found.name for found in page.pages()}
    for text in (found.read_text(encoding="utf-8") for found in page.pages()):
        assert text.count(page.MARK) == len(page.MARKED.findall(text)) > 0
        assert page.filled(text, page.kept()) == text


def test_the_experiments_name_what_is_absent_and_compute_what_is_there(module, tmp_path):
    experiments = module("experiments")
    (tmp_path / "abalone.csv").write_text("Whole.weight,Rings\n0.5,15\n0.2,7\n0.9,9\n", encoding="utf-8")
    found = experiments.report(True, tmp_path)
    assert "absent: Adult, age (adult.csv)" in found.notes and "absent: SNAP Oregon-1" in found.notes
    assert {r["column"] for r in found.records} == {"Abalone, rings", "Abalone, whole weight"}
    page = module("page")
    joint = experiments.joint_table(json.loads(page.RESULTS.read_text(encoding="utf-8")))
    assert joint.markdown() == page.kept()[joint.title].markdown()


@pytest.mark.parametrize("name", ["balance", "asymmetric"])
def test_laws_of_the_experiments_cost_epsilon_where_envelopes_nest(module, name):
    laws, top, epsilon = module("experiment_laws"), 40.0, 2.0
    ends = np.arange(0.0, top + 1)
    near = laws.Steps(np.array([10, 9, 5, 0.0]), np.array([10, 13, 20, top]))
    far = laws.Steps(np.array([13, 9, 4, 0.0]), np.array([13, 20, 31, top]))
    if name == "asymmetric":
        (_, one), (_, other) = (laws.asymmetric(steps, epsilon) for steps in (near, far))
    else:
        reached = [np.cumsum(laws.balance(steps, epsilon)[1]) for steps in (near, far)]
        edges = [laws.balance(steps, epsilon)[0] for steps in (near, far)]
        at = [np.interp(ends, edge, chance) for edge, chance in zip(edges, reached, strict=True)]
        one, other = (np.diff(chance) for chance in at)
    held = np.minimum(one, other) > 1e-12
    loss = np.max(np.abs(np.log(one[held] / other[held])))
    assert epsilon / 8 < loss < 1.02 * epsilon


def test_a_marked_table_is_replaced(module):
    page, reporting = module("page"), module("reporting")
    table = reporting.Table("Title", ("a", "b"), [("one", "1")])
    old = "Prose.\n\n<!-- measured: Title -->\n\n| a | b |\n| old | 0 |\n\nMore.\n"
    new = "Prose.\n\n<!-- measured: Title -->\n\n| a | b |\n| --- | ---: |\n| one | 1 |\n\nMore.\n"
    assert page.filled(old, {"Title": table}) == page.filled(new, {"Title": table}) == new


def test_every_other_library_has_a_snippet_and_a_row(module):
    migrations, page = module("migrations"), module("page")
    names = [path.stem for path in (ROOT / "docs" / "compared").glob("*.md") if path.stem != "index"]
    assert {*names, "noisewise"} == set(migrations.PACKAGES) == set(migrations.PROMISES)
    rows = page.kept()[migrations.TITLE].rows
    assert [each[0].split()[0] for each in rows] == list(migrations.PACKAGES)
    for name, (known, *_) in zip(migrations.PACKAGES, rows, strict=True):
        compile(migrations.snippet(name), name, "exec")
        if name != "noisewise":
            text = (ROOT / "docs" / "compared" / f"{name}.md").read_text(encoding="utf-8")
            assert f"{migrations.PACKAGES[name]} {known.split()[1]}" in text, "the version it was run with"


def test_a_snippet_is_measured_and_its_row_replaced(module, monkeypatch, tmp_path):
    migrations = module("migrations")
    found = read_law(migrations).errors("mean = sum(ages) / len(ages) + 1", [1, 2, 6], 3)
    assert found == {"mean": 1.0}
    assert read_law(migrations).errors(migrations.snippet("noisewise"), [40] * 1000, 2)["median"] < 60
    monkeypatch.setattr(migrations, "RESULTS", tmp_path / "results.json")
    migrations.RESULTS.write_text('{"benchmarks": {}}', encoding="utf-8")
    for version, name in [("1", "opendp"), ("1", "noisewise"), ("2", "opendp")]:
        migrations.keep([f"{name} {version}", "", "", "", ""])
    (table,) = json.loads(migrations.RESULTS.read_text(encoding="utf-8"))["benchmarks"]["migrations"][
        "tables"
    ]
    assert [row[0] for row in table["rows"]] == ["noisewise 1", "opendp 2"]
