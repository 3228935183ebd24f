"""Questions that were deleted are refused in words, wherever one is named, and nothing is paid."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import noisewise as nws
from noisewise.calls import INSTEAD, deleted
from noisewise.questions.question import KINDS
from tests.cli.running import invoke
from tests.study.worlds import STUDY

PLACES: dict[str, Callable[[], Any]] = {
    "the package": lambda: nws,
    "ask": lambda: nws.ask,
    "a dataset": lambda: nws.Dataset(pl.DataFrame({"x": [1.0]})),
    "groups": lambda: nws.Dataset(pl.DataFrame({"x": [1.0]})).group_by("x", keys=[1.0]),
}
BY_NAME: dict[str, Callable[[str], Any]] = {
    "plan": lambda name: nws.plan(name, epsilon=1),
    "epsilon_for": lambda name: nws.epsilon_for(name, error=1),
    "sweep": lambda name: nws.sweep(name, epsilons=[1]),
    "simulate": lambda name: nws.simulate(name, [1.0], epsilon=1),
    "compare": lambda name: nws.compare(name, [1.0], epsilons=[1]),
    "audit": lambda name: nws.audit.exact(name, epsilon=1),
    "audit of a table": lambda name: nws.audit.table(name, epsilon=1),
}
COMMANDS: dict[str, Callable[[str], tuple[str, ...]]] = {
    "a command": lambda name: (name, "staff.csv", "--epsilon", "1", "--ledger", "staff.ledger"),
    "ask": lambda name: ("ask", "staff.csv", f"{name} pay", "--epsilon", "1", "--ledger", "staff.ledger"),
    "plan": lambda name: ("plan", name, "--epsilon", "1"),
    "epsilon-for": lambda name: ("epsilon-for", name, "--error", "1"),
    "sweep": lambda name: ("sweep", name),
    "simulate": lambda name: ("simulate", name, "staff.csv", "--epsilon", "1"),
    "compare": lambda name: ("compare", name, "staff.csv"),
    "audit": lambda name: ("audit", name, "--epsilon", "1"),
}


def words(name: str) -> str:
    return f"noisewise has no question '{name}' any more; {INSTEAD[name]}"


def test_what_stands_in_their_place_can_be_asked() -> None:
    for name, instead in INSTEAD.items():
        assert name not in KINDS and str(deleted(name)) == words(name)
        named = instead.removeprefix("ask ").removesuffix(" instead").split(" or ")
        assert instead == "nothing takes its place" or {*named} <= {*KINDS}
    assert deleted("median") is None and deleted("medain") is None


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", INSTEAD)
def test_there_is_no_such_attribute(name: str, place: str) -> None:
    with pytest.raises(AttributeError) as refused:
        getattr(PLACES[place](), name)
    assert str(refused.value) == words(name)
    assert name not in nws.__all__ and name not in dir(nws)


@pytest.mark.parametrize("caller", BY_NAME)
@pytest.mark.parametrize("name", INSTEAD)
def test_no_name_is_taken_for_it(name: str, caller: str) -> None:
    with pytest.raises(nws.ParameterError) as refused:
        BY_NAME[caller](name)
    assert str(refused.value) == words(name)


@pytest.mark.parametrize("name", INSTEAD)
def test_a_study_says_in_which_line(name: str, tmp_path: Path) -> None:
    pl.DataFrame({"person": [1], "dept": ["A"], "salary": [3]}).write_csv(tmp_path / "staff.csv")
    path = tmp_path / "staff.toml"
    path.write_text(STUDY.replace('"median"', f'"{name}"'), encoding="utf-8")
    for asked in ("check", "price", "run"):
        done = invoke("study", asked, path)
        assert done.exit_code == 2 and f"line 19: {words(name)}" in done.stderr, done.output
    with pytest.raises(nws.NoisewiseError, match=f"no question '{name}' any more"):
        nws.Study.read(path)
    assert not (tmp_path / "staff.ledger").exists()


@pytest.mark.parametrize("spelt", [str, lambda name: name.replace("_", "-")], ids=["_", "-"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", INSTEAD)
def test_no_command_asks_it(
    name: str, command: str, spelt: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"pay": [1.0, 2.0]}).write_csv("staff.csv")
    ledger = nws.Ledger.open("staff.ledger", nws.PureDP(1))
    done = invoke(*COMMANDS[command](spelt(name)))
    said = " ".join(done.stderr.replace("│", " ").split())
    assert done.exit_code == 2 and words(name) in said, done.output
    assert list(ledger.entries()) == []


def test_the_name_is_free_for_a_question_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in INSTEAD:
        monkeypatch.setitem(KINDS, name, KINDS["median"])
        assert getattr(nws, name) is nws.median
        assert "median" in str(nws.plan(name, bounds=(0, 1), epsilon=1))
