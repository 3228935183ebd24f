"""Reading a study: every mistake is said once, with its line and what to write instead."""

from fractions import Fraction

import pytest

from noisewise.dataset.document import StudyError
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.questions.question import KINDS, column_signature
from noisewise.study.reading import ASK
from noisewise.study.study import Study
from tests.study.worlds import STUDY


def mistakes(text):
    with pytest.raises(StudyError) as caught:
        Study.parse(text)
    return caught.value.mistakes


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("[people]", "[peple]", 9, "peple is no section of a study; did you mean people?"),
        ("file =", "flie =", 6, "flie is no key of [data]; did you mean file?"),
        ("unit =", "zzz =", 10, "zzz is no key of [people]; there are unit, contributions, "
         "contributions_share, contributions_quantile, contributions_most, max_groups, per_group, neighbors"),
        ("contributions = 2", "contributions = 0", 11,
         'contributions must be a whole number above 0, or "private"'),
        ("contributions = 2", "contributions = true", 11,
         'contributions must be a whole number above 0, or "private"'),
        ('title = "Staff"', "title = 3", 3, "title must be text in quotes"),
        ('{salary = "number"}', "{salary = 1}", 7, 'types must be a table such as {salary = "number"}'),
        ("epsilon = 1\n", "epsilon = 0\n", 15, 'epsilon must be a number above 0, such as 0.5 or "1/3"'),
        ("epsilon = 1\n", "delta = 1e-6\n", 15, "the budget must be epsilon, epsilon and delta, or rho"),
        ("bounds =", "bound =", 21, "bound is no key of median; did you mean bounds?"),
        ("bounds = [0, 100]\n", "", 17, "median needs bounds"),
        ('"median"', '"medain"', 19, "medain is no question; did you mean median?"),
        ('question = "median"\n', "", 17, "[[ask]] needs question"),
        ('name = "pay"\n', "", 17, "[[ask]] needs name"),
        ('"pay"', '"pay/../x"', 18, "name must be letters, digits, _ and -, as it names a file"),
        ('"heads"', '"Pay"', 25, "name must be another than that of line 17"),
        ("epsilon = 0.4\n", "", 17, "pay needs epsilon or rho; or say in [budget] what all spend together"),
        ("epsilon = 0.4", "epsilon = 65", 22, "epsilon must be above 0 and at most 64, got 65"),
        ("epsilon = 0.4", 'epsilon = "much"', 22, "epsilon must be a real number, got 'much'"),
        ("epsilon = 0.4", "epsilon = 0.4\nrho = 0.1", 23, "rho must be left out where epsilon is given"),
        ("epsilon = 0.4", "rho = 65", 22, "rho must be above 0 and at most 64, got 65"),
        ("epsilon = 0.4", "epsilon = 0.4\nshare = 1", 23,
         "share needs spend or spend_rho in [budget], which is shared"),
        ("epsilon = 1\n", "epsilon = 1\nspend = 1\nspend_rho = 1\n", 17,
         "spend_rho must be left out where spend is given"),
        ("epsilon = 0.4", "contributions = 3", 22, "contributions is said once for all questions, in [people]"),
        ('group_by = "dept"\n', "", 24, "heads needs group_by"),
        ("epsilon = 0.4", "epsilon = 0.4\nper_group = 1", 17, "pay needs group_by"),
        ('group_by = "dept"', 'group_by = "dept"\nper_group = 0', 29, "per_group must be a whole number above 0"),
        ('group_by = "dept"', "group_by = []", 28, "group_by must be a column, or a list of columns"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_with_its_line_and_the_fix(old, new, line, said):
    assert STUDY.count(old)
    assert f"study.toml line {line}: {said}" in mistakes(STUDY.replace(old, new, 1))


def test_the_address_of_a_database_may_hold_a_password_and_is_not_echoed():
    (said,) = mistakes(STUDY.replace('"staff.ledger"', '"postgresql://me:secret@host/db"'))
    assert "line 14: ledger must be a file" in said and "secret" not in said


def test_all_mistakes_are_said_at_once():
    broken = STUDY.replace("bounds", "bound").replace("[people]", "[peple]").replace("file =", "flie =")
    assert len(mistakes(broken)) == 5


def test_an_empty_study_asks_for_what_it_needs():
    assert mistakes("") == [
        "study.toml line 1: [data] needs file, where the private data is",
        "study.toml line 1: a study needs a question: [[ask]] with a name and a question",
    ]


@pytest.mark.parametrize("text", ["ask = 1", "ask = [1]", "data = 1", "[ask]\nname = 'x'"])
def test_sections_of_another_shape_are_mistakes(text):
    assert any("section" in each or "[[ask]]" in each for each in mistakes(text))


@pytest.mark.parametrize(
    ("said", "budget"),
    [
        ("epsilon = 0.1", PureDP(Fraction(1, 10))),
        ("rho = '1/3'", ZCDP(Fraction(1, 3))),
        ("epsilon = 1\ndelta = 1e-6", ApproxDP(1, 1e-6)),
    ],
)
def test_a_budget_of_each_kind(said, budget):
    assert Study.parse(STUDY.replace("epsilon = 1\n", f"{said}\n")).budget == budget


def shared(*shares):
    text = STUDY.replace("epsilon = 1\n", "epsilon = 1\nspend = 0.9\n")
    for old, share in zip(("epsilon = 0.4", "epsilon = 0.2", "epsilon = 0.1"), shares, strict=True):
        text = text.replace(old, "" if share is None else f"share = {share}")
    return text


@pytest.mark.parametrize(
    ("shares", "epsilons"),
    [((None, None, None), (0.3, 0.3, 0.3)), ((1, 2, '"3/1"'), (0.15, 0.3, 0.45))],
)
def test_questions_share_what_all_spend(shares, epsilons):
    questions = Study.parse(shared(*shares)).questions
    assert [each.question.typed_price for each in questions] == [Fraction(str(e)) for e in epsilons]


def test_questions_share_a_rho_that_all_spend():
    text = shared(1, 2, 3).replace("epsilon = 1\nspend = 0.9", "rho = 1\nspend_rho = 0.6")
    study = Study.parse(text)
    assert [each.question.typed_price.rho for each in study.questions] == [Fraction(n, 10) for n in (1, 2, 3)]
    assert (
        "rho must be left out where [budget] says spend_rho"
        in mistakes(text.replace("share = 1", "share = 1\nrho = 0.1"))[0]
    )
    again = Study.parse(study.to_toml()).questions
    assert [each.question for each in again] == [each.question for each in study.questions]
    program = study.to_python()
    assert "rho=0.1)" in program and "epsilon" not in program


def test_shares_are_said_for_all_or_none_and_not_beside_an_epsilon():
    assert "share must be said for every question, or for none" in mistakes(shared(1, 2, None))[0]
    both = shared(1, 2, 3).replace("share = 1", "share = 1\nepsilon = 0.1")
    assert "epsilon must be left out where [budget] says spend" in mistakes(both)[0]


@pytest.mark.parametrize("share", ["nan", "inf", "-1", "0", "true", "'much'"])
def test_a_share_that_is_no_number_above_0_is_one_mistake(share):
    said = 'study.toml line 23: share must be a number above 0, such as 0.5 or "1/3"'
    assert mistakes(shared(share, 2, 3)) == [said]


def test_a_share_too_long_for_arithmetic_is_a_mistake():
    assert "share must" in mistakes(shared("1e999999999", 2, 3))[0]


def test_no_question_has_an_argument_that_a_study_uses_for_itself():
    taken = {name for kind in KINDS.values() for name in column_signature(kind).parameters}
    assert taken & set(ASK) == set()
