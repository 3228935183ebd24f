"""No list of questions or statistics is written by hand: each is what the registered ones make it."""

from noisewise.questions.question import KINDS
from scripts import registered


def test_every_list_is_that_of_the_registered_questions():
    behind = [
        path.relative_to(registered.ROOT).as_posix()
        for path, text in registered.files().items()
        if path.read_text(encoding="utf-8") != text
    ]
    assert behind == [], "run python -m scripts.registered"


def test_a_question_is_found_where_it_is_registered():
    questions = registered.modules_of_questions()
    registered.kinds.MODULES.update(questions)
    assert set(questions) == set(KINDS)
    assert registered.modules_of_statistics(questions)["WinsorizedMean"] == "trimmed_mean"
