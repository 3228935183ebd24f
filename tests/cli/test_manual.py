"""The man page has every command and option, is what is installed, and is read by groff without a complaint."""

import subprocess
from pathlib import Path

import pytest

from noisewise.cli.app import built_command
from noisewise.cli.manual import escaped
from noisewise.cli.options import COMMON
from noisewise.cli.summaries import summaries
from tests.cli.running import run
from tests.programs import GROFF

PAGE = Path(__file__).parents[2] / "man" / "noisewise.1"


@pytest.fixture(scope="module")
def page() -> str:
    return run("man").stdout  # a process of its own: others here may know further questions


def test_every_command_and_option_is_in_it(page: str) -> None:
    for name in summaries():
        command = built_command(name)
        within = getattr(command, "commands", None) or {}
        for verb in within or [""]:
            assert f".SH NOISEWISE {name.upper()}{' ' * bool(verb)}{verb.upper()}" in page
        if not hasattr(command, "resolve_command"):
            for each in (one for made in (within.values() or [command]) for one in made.params):
                flags = [*each.opts, *each.secondary_opts]
                assert (
                    "--help" in flags
                    or any(escaped(flag) in page for flag in flags)
                    or each.name in ("file",)
                )
    assert all(escaped(f"--{name.replace('_', '-')}") in page for name in COMMON)
    assert escaped("--epsilons") in page and escaped("--people") in page


def test_the_page_that_is_installed_is_up_to_date(page: str) -> None:
    assert PAGE.read_text(encoding="utf-8") == page, "run make man"
    assert "\nbuild: $(VENV)/build man " in (PAGE.parents[1] / "Makefile").read_text(encoding="utf-8")
    assert page.isascii()


def test_groff_reads_it_without_a_complaint(page: str) -> None:
    groff = [GROFF.needed(), "-man", "-Tutf8", "-ww", "-z"]
    done = subprocess.run(groff, input=page.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_no_text_is_taken_for_a_request() -> None:
    assert escaped(".TH x") == r"\&.TH x" and escaped("'a") == r"\&'a"
    assert escaped("a\\b-c ε") == r"a\eb\-c \[u03B5]"
