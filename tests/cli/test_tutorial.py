"""Every command of the page about the command line runs."""

import re
import shlex
from pathlib import Path

from noisewise.cli.codes import Code
from tests.cli.running import data, invoke

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "command-line.md"


def commands(text):
    """The lines of the console blocks that call the command."""
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S)
    return [
        line[line.index("noisewise ") :]
        for block in blocks
        for line in block.splitlines()
        if "noisewise " in line
    ]


def test_the_commands_of_the_page_run(tmp_path, monkeypatch):
    given = data(tmp_path).read_bytes()
    monkeypatch.chdir(tmp_path)
    lines = commands(PAGE.read_text(encoding="utf-8"))
    assert len(lines) >= 15
    for line in lines:
        asked, _, file = line.partition(" > ")
        done = invoke(*shlex.split(asked)[1:], stdin=given)
        assert done.exit_code == 0, (line, done.stderr)
        if file:
            Path(file).write_text(done.stdout, encoding="utf-8")


def test_the_page_tells_every_code():
    told = {
        int(number)
        for row in re.findall(r"^\| ([\d, ]+) \|", PAGE.read_text(encoding="utf-8"), re.M)
        for number in row.split(",")
    }
    assert told == {int(code) for code in Code} | {129}
