"""What a study releases, as it is printed: each answer in a line, those that are lost too."""

from noisewise.study.binding import BoundStudy, opened
from noisewise.study.study import Study
from noisewise.study.study_release import StudyRelease, tables_of
from tests.study.worlds import made


def test_a_release_says_where_each_answer_is_and_which_are_lost(tmp_path):
    one = {"name": "pay", "what": "median of salary", "card": {"value": 3}, "table": None}
    two = {
        "name": "heads",
        "what": "count by dept",
        "card": {"value": [1]},
        "table": {"columns": [], "rows": []},
    }
    release = StudyRelease(tmp_path, {"answers": [one, two], "lost": ["parts"]})
    assert release.names == ("pay", "heads") and release["pay"] == {"value": 3}
    assert str(release).splitlines() == [
        "pay: median of salary = 3",
        "heads: count by dept, in heads.csv",
        "parts: lost, as the run failed while it was drawn or written down, and a second draw would have to be "
        "paid for",
        f"written to {tmp_path}",
    ]


def test_which_answers_are_tables_is_known_before_they_are_drawn(tmp_path):
    study = Study.read(made(tmp_path))
    bound = BoundStudy.of(study, opened(study, study.path("staff.csv"), study.budget))
    assert tables_of(bound) == ["heads.csv", "parts.csv"]
