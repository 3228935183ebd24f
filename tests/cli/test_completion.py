"""Completion in a shell: scripts for bash, zsh and fish, and what they complete."""

import io
import os
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

from noisewise.cli.app import command

WORDS = {
    "bash": lambda typed: {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - (typed[-1] != " "))},
    "zsh": lambda typed: {"_TYPER_COMPLETE_ARGS": typed},
    "fish": lambda typed: {"_TYPER_COMPLETE_ARGS": typed, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
}


def completed(shell: str, typed: str, action: str = "complete") -> str:
    """What the script of a shell is given for what was typed."""
    told, env = io.StringIO(), {"_NOISEWISE_COMPLETE": f"{action}_{shell}", **WORDS[shell](typed)}
    with patch.dict(os.environ, env), redirect_stdout(told), pytest.raises(SystemExit):
        command().main([], "noisewise")
    return told.getvalue()


@pytest.mark.parametrize("shell", WORDS)
def test_there_is_a_script_for_every_shell(shell: str) -> None:
    script = completed(shell, "noisewise", "source")
    assert "_NOISEWISE_COMPLETE" in script and f"complete_{shell}" in script


@pytest.mark.parametrize("shell", WORDS)
def test_commands_options_and_columns_are_completed(table: Path, shell: str) -> None:
    assert "median-interval" in completed(shell, "noisewise median-i")
    assert "--contributions" in completed(shell, "noisewise median --contr")
    assert "verify" in completed(shell, "noisewise ledger ver")
    columns = completed(shell, f"noisewise median {table} --column in")
    assert "income" in columns and "height" not in columns
    assert "height,weight" in completed(shell, f"noisewise covariance {table} --columns height,wei")
    assert "dept" in completed(shell, f"noisewise count {table} --by de")


def test_what_is_no_table_has_no_columns(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_bytes(b"no parquet")
    for file in (tmp_path / "x.parquet", tmp_path / "none.csv"):
        assert completed("bash", f"noisewise median {file} --column in").strip() == ""
