"""``noisewise explore``: it prints an address that answers, refuses private files, and ends by Ctrl+C."""

import signal
import subprocess
import sys
import urllib.request

import pytest

import noisewise as nws
from tests.cli.running import command, environment, invoke


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl+C cannot be sent to one process there")
def test_it_serves_until_it_is_interrupted(tmp_path):
    (tmp_path / "public.csv").write_text("pay\n1\n2\n")
    (tmp_path / "study.toml").write_text(
        '[data]\nfile = "private.csv"\nsample = "public.csv"\n[[ask]]\nname = "pay"\nquestion = "median"\n'
        'column = "pay"\nbounds = [0, 100]\nepsilon = 0.5\n'
    )
    process = subprocess.Popen(
        command("explore", "--study", tmp_path / "study.toml"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
    )
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:") and len(address.split("/")[3]) == 32
        with urllib.request.urlopen(address, timeout=60) as page:
            text = page.read().decode()
        assert "Questions of the study" in text and "of these 2 records" in text and "at ε = 0.5" in text
    finally:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 0
    assert said == "noisewise: not private: for public data only; Ctrl+C ends it\n"


@pytest.mark.parametrize("place", ["file", "sample"])
def test_a_file_that_a_ledger_is_bound_to_is_refused(tmp_path, monkeypatch, place):
    monkeypatch.setattr(
        "noisewise.explorer.server.server", None
    )  # else a test that fails would go on for ever
    (tmp_path / "staff.csv").write_text("pay\n1\n")
    nws.Ledger.open(tmp_path / "money.ledger", budget=nws.PureDP(1))
    (tmp_path / "s.toml").write_text(
        '[data]\nfile = "x.csv"\nsample = "staff.csv"\n[[ask]]\nname = "n"\nquestion = "count"\nepsilon = 1\n'
    )
    words = [tmp_path / "staff.csv"] if place == "file" else ["--study", tmp_path / "s.toml"]
    done = invoke("explore", *words)
    assert done.exit_code != 0
    assert "money.ledger has no name" in str(done.exception or done.output) + done.stderr


def test_a_port_that_is_taken_is_refused():
    from noisewise.explorer.server import listening

    with listening(0) as taken:
        done = invoke("explore", "--port", taken.getsockname()[1])
    assert done.exit_code != 0 and "must be one that is free" in done.stderr


def test_without_its_packages_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("noisewise.cli.explore.find_spec", lambda name: None)
    done = invoke("explore")
    assert done.exit_code == 6 and "pip install" in done.stderr and "starlette" in done.stderr


def test_the_ledger_of_the_environment_is_known_and_mistakes_of_a_study_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr("noisewise.explorer.server.server", None)
    (tmp_path / "a b").mkdir()
    (tmp_path / "staff.csv").write_text("pay\n1\n")
    nws.Ledger.open(tmp_path / "a b" / "money", budget=nws.PureDP(1), name="staff")
    done = invoke("explore", tmp_path / "staff.csv", NOISEWISE_LEDGER=str(tmp_path / "a b" / "money"))
    assert done.exit_code == 3 and "bound to data of this name" in done.stderr
    done = invoke("explore", "--ledger", tmp_path / "a b" / "money")
    assert done.exit_code == 2 and "--ledger must come with a FILE" in done.stderr
    (tmp_path / "study.toml").write_text('[data]\nfil = "x"\n')
    done = invoke("explore", "--study", tmp_path / "study.toml")
    assert done.exit_code == 2 and len(done.stderr.splitlines()) > 1
