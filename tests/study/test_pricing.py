"""What a study costs, how good it will be, and how it looks on public data."""

import json

import pytest

from noisewise.errors import ParameterError
from noisewise.kernel.losses import ZCDP
from noisewise.study.study import Study
from tests.study.worlds import SEARCHED, STUDY, made


def test_each_question_and_all_have_a_price_in_each_currency():
    price = Study.parse(STUDY).price()
    assert [row["name"] for row in price.rows] == ["pay", "heads", "parts", "together"]
    assert [row["epsilon"] for row in price.rows] == ["0.4", "0.2", "0.1", "0.7"]
    assert all(float(row["rho"]) > 0 for row in price.rows)
    assert price.total.epsilon == sum(loss.epsilon for loss in price.losses.values())
    assert "error" in price.promises["heads"] and "people" in price.promises["pay"]
    assert "together" in str(price) and "ε = 1" in str(price)
    assert json.loads(json.dumps(price.to_dict(), default=str))["together"]["epsilon"] == "0.7"


def test_a_guessed_size_says_how_good_a_mean_is():
    text = STUDY.replace('"median"', '"mean"')
    assert "error" not in Study.parse(text).price().promises["pay"]
    sized = Study.parse(text.replace("file =", "size = 1000\nfile =")).price()
    assert sized.promises["pay"] == {} or sized.promises["pay"]["error"] > 0


def test_a_count_beside_an_answer_takes_its_part():
    counted = Study.parse(STUDY.replace('column = "salary"', 'column = "salary"\nwith_count = 0.5')).price()
    assert counted.promises["pay"]["people"] > Study.parse(STUDY).price().promises["pay"]["people"]


def test_a_question_about_dates_is_promised_in_days():
    text = STUDY.replace('{salary = "number"}', '{born = "date"}').replace(
        'column = "salary"', 'column = "born"'
    )
    text = text.replace("[0, 100]", "[1900-01-01, 2020-01-01]")
    assert "people" in Study.parse(text).price().promises["pay"]


def test_with_delta_the_total_is_said_with_it():
    text = STUDY.replace("epsilon = 1\n", "epsilon = 1\ndelta = 1e-6\n")
    assert "together with delta 1e-06: epsilon 0.7" in str(Study.parse(text).price())


def test_a_simulation_says_that_it_is_not_private_and_pays_nothing(tmp_path):
    text = STUDY[: STUDY.rindex("[[ask]]")].replace("file =", 'sample = "staff.csv"\nfile =')
    study = Study.read(made(tmp_path, text))
    for answers in (study.simulate().answers, study.simulate(tmp_path / "staff.csv").answers):
        assert list(answers) == ["pay", "heads"]
        assert all(text.startswith("not private: ") for text in answers.values())
        assert not any("privacy" in text or "protects" in text for text in answers.values())
        assert "mean error" in answers["pay"] and "A" in answers["heads"]
    assert not (tmp_path / "staff.ledger").exists()


def test_a_simulation_needs_a_sample():
    with pytest.raises(ParameterError, match="sample must be a file that anybody may see"):
        Study.parse(STUDY).simulate()


def test_a_price_in_rho_and_its_promise_in_groups(tmp_path):
    text = SEARCHED.replace("[budget]\n", "[budget]\n", 1)
    head = text[: text.index("[budget]")]
    asked = (
        '[budget]\nledger = "l"\nrho = 1\n\n[[ask]]\nname = "heads"\nquestion = "count"\nrho = 0.5\n'
        'group_by = "dept"\nkeys = ["A", "B"]\n'
    )
    apart, together = (
        Study.read(made(tmp_path, f"{head}{asked}{limit}")).price() for limit in ("per_group = 1\n", "")
    )
    assert apart.rows[0]["rho"] == "0.5" and "epsilon" not in apart.rows[0]
    assert apart.rows[0]["error"] < together.rows[0]["error"]
    assert apart.total == ZCDP(0.5) and "ρ = 1" in str(apart)
