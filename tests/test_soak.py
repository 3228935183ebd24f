"""A short soak passes, and its check notices forbidden entries. `make soak` takes minutes."""

import json
import random
import subprocess
import sys

import pytest

from noisewise.kernel.losses import PureDP
from scripts.soak import Client, Soak, check, open_ledger, soaked

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")


def test_a_short_soak_loses_nothing_and_spends_nothing_twice():
    counts, wrong = soaked("sqlite", 3, 3, seed=1, kill=0.6, freeze=1.0, **{"no room": 0.8})
    assert wrong == []
    assert min(counts[name] for name in ("debits", "clients killed", "times without room")) >= 1


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([["asks", 0, "a"], ["asks", 0, "b"], ["got", 0, "b", {}]], ["lost ['b']"]),
        ([["asks", 0, "a"], ["refused", 0, "a", "no room"]], ["refused and booked ['a']"]),
        ([["asks", 0, "b"]], ["asked by nobody ['a']"]),
    ],
)
def test_the_judge_notices(tmp_path, lines, says):
    ledger = open_ledger(str(tmp_path), 0)
    entry = ledger.debit(PureDP(0.5), neighbors="add_remove", contributions=1, memo="a").to_dict()
    for line in lines:
        if line[0] == "got":
            line[-1] = entry
    kept = json.dumps(["asks", 1, "c"]), json.dumps(["got", 1, "c", _paid(tmp_path)])
    soak = Soak(str(tmp_path), tmp_path, 1, random.Random(1))
    soak.all = [Client(subprocess.Popen(["true"]), [*map(json.dumps, lines), *kept])]
    soak.all[0].process.wait()
    assert check(soak) == [f"ledger 0: {each}" for each in says]


def test_the_judge_notices_a_doubled_entry(tmp_path):
    ledger = open_ledger(str(tmp_path), 0)
    for _ in range(2):
        ledger.debit(PureDP(0.5), neighbors="add_remove", contributions=1, memo="a")
    lines = [["asks", 0, "a"], ["asks", 1, "c"], ["got", 1, "c", _paid(tmp_path)]]
    soak = Soak(str(tmp_path), tmp_path, 1, random.Random(1))
    soak.all = [Client(subprocess.Popen(["true"]), [*map(json.dumps, lines)])]
    soak.all[0].process.wait()
    assert check(soak) == ["ledger 0: twice ['a']"]


def _paid(folder):
    ledger = open_ledger(str(folder), 1)
    return ledger.debit(PureDP(0.5), neighbors="add_remove", contributions=1, memo="c").to_dict()
