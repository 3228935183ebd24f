"""``noisewise study``: check, price, simulate, run, schema."""

import json

from noisewise.ledger.ledger import Ledger
from noisewise.study.schema import study_schema
from tests.cli.running import invoke
from tests.study.worlds import SHORT, STUDY, made


def test_a_study_in_order_is_said_so_without_its_data(tmp_path):
    file = made(tmp_path)
    (tmp_path / "staff.csv").unlink()
    done = invoke("study", "check", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("staff.toml is in order: 3 questions, hash ")
    assert [each.name for each in tmp_path.iterdir()] == ["staff.toml"]


def test_every_mistake_is_a_line_with_its_line(tmp_path):
    file = made(tmp_path, STUDY.replace("bounds", "bound").replace("[people]", "[peple]"))
    for verb in ("check", "price", "simulate", "run"):
        done = invoke("study", verb, file)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.splitlines() == [
            "noisewise: staff.toml line 9: peple is no section of a study; did you mean people?",
            "noisewise: staff.toml line 21: bound is no key of median; did you mean bounds?",
            "noisewise: staff.toml line 39: bound is no key of quantiles; did you mean bounds?",
        ]


def test_a_price_is_a_table_or_json(tmp_path):
    file = made(tmp_path)
    (tmp_path / "staff.csv").unlink()
    done = invoke("study", "price", file)
    assert done.exit_code == 0 and "together" in done.stdout
    assert json.loads(invoke("study", "price", file, "--json").stdout)["together"]["epsilon"] == "0.7"


def test_a_simulation_says_that_it_is_not_private(tmp_path):
    file = made(tmp_path, SHORT)
    done = invoke("study", "simulate", file, "--sample", tmp_path / "staff.csv", "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["not private"], list(told["answers"])) == (0, True, ["pay", "heads"])
    assert invoke("study", "simulate", file).exit_code == 2


def test_a_study_is_run_once_and_again_when_asked(tmp_path):
    file = made(tmp_path, SHORT.replace("epsilon = 1\n", "epsilon = 1.2\n"))
    done = invoke("study", "run", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "pay: median of salary = " in done.stdout and "staff.release" in done.stdout
    refused = invoke("study", "run", file)
    assert (refused.exit_code, "--again" in refused.stderr) == (2, True)
    again = invoke("study", "run", file, "--again", "--out", tmp_path / "two", "--json")
    assert json.loads(again.stdout) == json.loads((tmp_path / "two" / "release.json").read_text())
    assert invoke("study", "run", file, "--again").exit_code == 4
    assert len(Ledger.open(tmp_path / "staff.ledger")) == 2


def test_check_says_the_mistakes_of_reading_and_of_binding_at_once(tmp_path):
    text = STUDY.replace("[0, 100]", "[100, 0]").replace("epsilon = 1\n", "epsilon = nan\n")
    done = invoke("study", "check", made(tmp_path, text))
    assert done.exit_code == 2
    assert [each.partition(": ")[2].partition(" must")[0] for each in done.stderr.splitlines()] == [
        "staff.toml line 15: epsilon",
        "staff.toml line 21: bounds",
        "staff.toml line 39: bounds",
    ]


def test_the_ledger_may_be_said_beside_the_study(tmp_path):
    file = made(tmp_path, SHORT.replace('ledger = "staff.ledger"\nepsilon = 1\n', ""))
    place = tmp_path / "other.ledger"
    assert invoke("study", "run", file).exit_code == 2
    assert invoke("study", "run", file, "--ledger", place).exit_code == 4
    invoke("ledger", "create", place, "--epsilon", "1")
    assert invoke("study", "run", file, NOISEWISE_LEDGER=str(place)).exit_code == 0
    assert len(Ledger.open(place)) == 1


def test_what_is_not_there_is_said_by_its_code(tmp_path):
    assert invoke("study", "check", tmp_path / "none.toml").exit_code == 3
    file = made(tmp_path, SHORT)
    (tmp_path / "staff.csv").unlink()
    assert invoke("study", "run", file).exit_code == 3
    assert not (tmp_path / "staff.ledger").exists()


def test_the_schema_is_printed():
    assert json.loads(invoke("study", "schema").stdout) == study_schema()
