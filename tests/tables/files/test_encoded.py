"""Packed and encoded text files: the same lines as in a plain file of UTF-8, each by itself."""

import gzip
import random

import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.errors import ParameterError, SchemaError
from noisewise.tables.files import encoded
from noisewise.tables.files.encoded import Encoded
from noisewise.tables.files.lines import parts
from noisewise.tables.files.scan import scan

CSV = b"a,b\n" + b"".join(b"%d,%s\n" % (row, b"xy"[row % 2 : row % 2 + 1]) for row in range(1000))
EXACT = {"epsilon": 64}


def zstd(content):
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return sink.getvalue().to_pybytes()


PACKERS = {"gz": gzip.compress, "zst": zstd}


def write(path, content):
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize("packed", PACKERS)
def test_a_packed_file_has_the_lines_of_a_plain_one(tmp_path, packed):
    pack = PACKERS[packed]
    twice = pack(CSV[:700]) + pack(CSV[700:])  # as files are that were appended to
    for content in (pack(CSV), twice):
        path = write(tmp_path / f"x.csv.{packed}", content)
        assert b"".join(parts(path, True, Encoded(packed).open)) == CSV[4:]
        data = nws.Dataset.scan(path)
        assert data.count("a", **EXACT).value == 1000
        assert data.group_by("b", keys=["x", "y", "z"]).count(**EXACT).value == (500, 500, 0)
    renamed = write(tmp_path / "upload", pack(b'{"a": 1}\n{"a": 2}\n'))
    assert nws.Dataset.scan(renamed, format=f"jsonl.{packed}").count("a", **EXACT).value == 2


@pytest.mark.parametrize("packed", PACKERS)
def test_a_file_that_cannot_be_unpacked_is_refused_when_it_is_opened(tmp_path, packed):
    rows = bytes(random.Random(1).choices(b"0123456789\n", k=200_000))
    whole = PACKERS[packed](b"a\n" + rows)
    for content in (whole[:-20], whole[: len(whole) // 2], whole + b"no more", b"a\n1\n"):
        with pytest.raises(SchemaError, match=rf"^source must be a .*, got '.*x.csv.{packed}'$"):
            scan(write(tmp_path / f"x.csv.{packed}", content))
        with pytest.raises(SchemaError, match=f"^source must be a whole file packed as {packed}"):
            scan(write(tmp_path / f"x.jsonl.{packed}", content))


LETTERS = 'aé€Ж;,"1 \t\r\x80\x85\u2028\ufffd\U0001f600'


def in_utf8(line, encoding):
    """What a line becomes: its text as UTF-8, with a byte that is none where it has no sign."""
    return line.decode(encoding, "replace").encode().replace("\ufffd".encode(), b"\xff")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "koi8-r", "utf-16", "utf-16-be"])
def test_every_line_is_decoded_by_itself_whatever_is_read_at_once(tmp_path, monkeypatch, encoding):
    rng, units, exact = random.Random(encoding), [], Encoded.of("", encoding).encoding
    order = {"utf-16": "utf-16-le"}.get(exact, exact)
    feed = "\n".encode(order)
    for _ in range(300):
        line = "".join(rng.choices(LETTERS, k=rng.randint(0, 6))).encode(order, "replace")
        line += bytes(rng.choices(range(11, 256), k=rng.choice([0, 2])))  # signs that there may be none of
        units.append(line)
    content = b"".join(line + feed for line in units)
    wanted = b"".join(in_utf8(line, order) + b"\n" for line in units)
    for size in (1, 2, 7, 2**20):
        monkeypatch.setattr(encoded, "PART", size)
        with Encoded("", exact).open(write(tmp_path / "x", content)) as file:
            assert file.read() == wanted


def test_text_of_other_encodings_is_compared_as_what_it_says(tmp_path):
    rows = "ort,n\nKöln,1\nKöln,2\nMünchen,3\n"
    for encoding in ("latin-1", "cp1252", "utf-16", "utf-16-le", "UTF8", "utf-8-sig"):
        path = write(tmp_path / "x.csv", rows.encode(encoding))
        data = nws.Dataset.scan(path, encoding=encoding)
        assert data.group_by("ort", keys=["Köln", "München"]).count(**EXACT).value == (2, 1)
        assert data.columns == ("ort", "n")
    swapped = write(tmp_path / "x.csv", b"\xfe\xff" + rows.encode("utf-16-be"))
    assert nws.Dataset.scan(swapped, encoding="utf-16").count("n", **EXACT).value == 3


def test_a_sign_that_an_encoding_does_not_know_makes_one_cell_missing(tmp_path):
    for cell in (b"1", b"\x811", b"1\x8f", b"\x81"):
        path = write(tmp_path / "x.csv", b"a,b\n7,\xe9\n" + cell + b",x\n8,y\n")
        data = nws.Dataset.scan(path, encoding="cp1252")
        assert data.count("a", **EXACT).value == 2 + (cell == b"1")
        assert data.count(**EXACT).value == 3
        assert data.group_by("b", keys=["é", "x", "y"]).count(**EXACT).value == (1, 1, 1)


@pytest.mark.parametrize(
    "encoding", ["shift_jis", "iso2022_jp", "utf-7", "hz", "rot13", "idna", "x", "", None, 8]
)
def test_an_encoding_in_which_a_line_may_change_others_is_refused(tmp_path, encoding):
    with pytest.raises(
        ParameterError, match=r"^encoding must be utf-8, utf-16 or one of a byte for each sign"
    ):
        scan(write(tmp_path / "x.csv", CSV), encoding=encoding)


def test_the_first_bytes_of_json_lines_do_not_say_how_they_are_encoded(tmp_path):
    path = write(tmp_path / "x.jsonl", '{"a": 1}\n'.encode("utf-16"))
    with pytest.raises(ParameterError, match=r"^encoding must be utf-16-le or utf-16-be for JSON lines"):
        scan(path, encoding="utf-16")
    assert nws.Dataset.scan(path, encoding="utf-16-le").count("a", **EXACT).value == 1
