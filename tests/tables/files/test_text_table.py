"""Text files: a question gets the columns that it names, as text, and nothing else."""

import time

import narwhals.stable.v2 as nw
import pytest

import noisewise as nws
from noisewise.errors import SchemaError
from noisewise.tables.files.scan import scan
from tests.tables.every_engine import texts_of


def write(path, content):
    path.write_text(content)
    return path


def texts(table, name):
    return [found for (found,) in texts_of(table, [name])]


def test_the_columns_of_a_question_must_differ_by_more_than_capitals(tmp_path):
    data = nws.Dataset.scan(write(tmp_path / "x.jsonl", '{"a": 1, "A": 2}\n'))
    with pytest.raises(SchemaError, match=r"^a question must not name .* capitals alone, got 'a', 'A'$"):
        data.pearson("a", "A", bounds=(0, 1), epsilon=1)
    assert [texts(data._table, name) for name in ("a", "A")] == [["1"], ["2"]]
    with pytest.raises(SchemaError, match=r"^column must be the name of a column, as text, got ''$"):
        data.count("", epsilon=1)
    with pytest.raises(SchemaError, match=r"^unit must be the name of a column, as text, got 3$"):
        nws.Dataset.scan(tmp_path / "x.jsonl", unit=3)
    with pytest.raises(SchemaError, match=r"^group_by must be the name of a column, as text, got 3$"):
        data.group_by(3, keys=["a"])


def test_what_is_public_of_a_text_file(tmp_path):
    cells = scan(write(tmp_path / "x.csv", "b,a\n1,2\n"))
    objects = scan(write(tmp_path / "x.jsonl", '{"a": 1}\n'))
    assert (cells.names, objects.names) == (("b", "a"), None)
    assert cells.types == {"b": nw.String(), "a": nw.String()}
    assert objects.types is None
    assert repr(cells) == repr(objects) == "<TextTable: withheld>"
    assert cells.is_text and objects.is_text
    assert cells.holds("a") == objects.holds("a") == "text"


def test_a_question_reads_the_columns_that_it_names(tmp_path):
    table = scan(write(tmp_path / "x.csv", "a,b,c\n1,2,3\n"))
    assert table._of(("c",), None).names == ("c",)
    assert table._of((), None).frame.collect_schema().names() == ["c0"]


def test_many_columns_take_no_longer_than_their_bytes(tmp_path):
    names = [f"c{place}" for place in range(20_000)]
    rows = ",".join(str(place % 10) for place in range(20_000)) + "\n"
    path = write(tmp_path / "x.csv", ",".join(names) + "\n" + rows * 100)
    begun = time.process_time()
    data = nws.Dataset.scan(path, unit="c19999")
    assert data.count("c7", epsilon=60).value == 1
    assert nws.Dataset.scan(path).median("c7", bounds=(0, 10), epsilon=60).value == 7
    assert time.process_time() - begun < 20
