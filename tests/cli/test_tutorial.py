"""Every command of the page about the command line runs, and what the page shows is what is printed."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from noisewise.cli.exit_codes import Code
from tests.cli.running import data, invoke, rows

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "command-line.md"
BLOCK = re.compile(r"^```(console|text)\n(.*?)^```$", re.M | re.S)


def blocks():
    return [(found[1], found[2].splitlines()) for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def commands():
    """The lines of the console blocks that call the command."""
    return [
        line
        for kind, lines in blocks()
        if kind == "console"
        for line in lines
        if re.match(r".*noisewise [a-z]", line)
    ]


def shape(text):
    """A text without its numbers."""
    return [re.sub(r"\d[\d,.]*", "#", line) for line in text]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    data(tmp_path)
    (tmp_path / "edges.txt").write_text("".join(f"{row['source']} {row['target']}\n" for row in rows()))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def given(line):
    """What a line hands to the command by a pipe."""
    shell, pipe, _ = line.partition(" | noisewise ")
    if not pipe:
        return b""
    if shutil.which("sh") is None:
        pytest.skip("there is no shell here")
    return subprocess.run(["sh", "-c", shell], capture_output=True, check=True).stdout


def run(line):
    asked, _, file = line[line.index("noisewise ") :].partition(" > ")
    done = invoke(*shlex.split(asked)[1:], stdin=given(line))
    assert done.exit_code == 0, (line, done.stderr)
    if file:
        Path(file).write_text(done.stdout, encoding="utf-8")
    return done.stdout.splitlines()


def test_the_commands_of_the_page_run(folder):
    lines = commands()
    assert len(lines) >= 19
    for line in lines:
        run(line)
    header = (folder / "by-dept.csv").read_text().splitlines()[0]
    assert header == "dept,quantiles_income_0.25,quantiles_income_0.5,n"
    assert all(f"`{name}`" in PAGE.read_text(encoding="utf-8") for name in header.split(","))


def test_the_page_shows_what_is_printed(folder):
    shown = [
        (line, text)
        for (kind, (line, *more)), (after, text) in zip(blocks(), blocks()[1:], strict=False)
        if (kind, after, more) == ("console", "text", [])
    ]
    assert len(shown) == 2
    for line, text in shown:
        assert shape(run(line)) == shape(text)


def test_the_page_shows_mistakes_as_they_are_told(folder):
    Path("two.csv").write_text("age,income\n42,1\n")
    (told,) = (text for kind, text in blocks() if kind == "text" and text[0].startswith("noisewise: "))
    asked = (
        "two.csv --column incme --bounds 0 100",
        "two.csv --column income --bounds 100 0",
        "dta.csv --column income --bounds 0 100",
    )
    assert told == [invoke("median", *each.split(), "--epsilon", "1").stderr.rstrip("\n") for each in asked]


def test_the_page_tells_every_code():
    told = {
        int(number)
        for row in re.findall(r"^\| ([\d, ]+) \|", PAGE.read_text(encoding="utf-8"), re.M)
        for number in row.split(",")
    }
    assert told == {int(code) for code in Code} | {129}
