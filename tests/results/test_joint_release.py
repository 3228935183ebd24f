"""Several answers together are one release and a mapping from names to answers."""

import json

import polars as pl

import noisewise as nws
from noisewise import ask


def answered(**more):
    data = nws.Dataset(pl.DataFrame({"x": range(100)}), **more)
    return data.agg(
        epsilon=1,
        n=ask.count(interval=0.9),
        h=ask.histogram("x", [0, 50, 100]),
        m=ask.median("x", bounds=(0, 99)),
    )


def test_it_is_one_release_and_a_mapping():
    release = answered()
    assert isinstance(release, nws.JointRelease) and list(release) == ["n", "h", "m"] and len(release) == 3
    assert (
        release.value == tuple(each.value for each in release.values()) and release["m"].statistic == "median"
    )
    assert release.privacy == release.about.privacy and release.privacy.as_pure().epsilon == 1
    assert release.receipt is None and release.about.interval is None, (
        "the interval of one is not that of all"
    )
    assert str(release).startswith("n: count = ") and "together: ε = 1" in str(release)
    assert release.plot("h").svg == release["h"].plot().svg


def test_its_card_holds_every_answer(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "l", budget=nws.PureDP(2))
    release = answered(ledger=ledger)
    card = json.loads(json.dumps(release.card()))
    assert (
        [card["each"][name]["value"] for name in release]
        == card["value"]
        == [json.loads(json.dumps(value)) for value in release.value]
    )
    assert card["losses"]["stated"]["epsilon"] == "1" and "epsilon = 1" in card["statement"]
    assert ledger.verify(release) == len(ledger) == 1 and release.receipt.number == 1


def test_its_frame_has_a_row_for_each_number():
    release = answered()
    frame = release.frame
    assert frame["question"].to_list() == ["n", "h", "h", "m"]
    assert frame["value"].to_list() == [release["n"].value, *release["h"].value, release["m"].value]
    assert frame["low"].to_list() == [release["n"].interval.low, None, None, None]
