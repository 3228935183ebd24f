"""The report in a real browser: it fetches nothing, fits a phone, and says every picture in words."""

import polars as pl
import pytest

import noisewise as nws
from tests.explorer.browser import launched

FRAME = pl.DataFrame({"dept": ["A", "B"] * 50, "x": range(100), "y": ["p", "q"] * 50})


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    ledger = nws.Ledger.open(folder / "l.ledger", budget=nws.PureDP(10))
    data = nws.Dataset(FRAME, ledger=ledger)
    answers = {
        "Median": data.median("x", bounds=(0, 99), epsilon=1, interval=0.9),
        "Bins": data.histogram("x", list(range(0, 101, 10)), epsilon=1, interval=0.9),
        "Groups": data.group_by("dept", keys=["A", "B"]).mean("x", bounds=(0, 99), epsilon=1, interval=0.9),
        "Table": data.crosstab(["dept", "y"], {"dept": ["A", "B"], "y": ["p", "q"]}, epsilon=1),
    }
    nws.report(answers, folder / "r.html", ledger=ledger)
    return folder / "r.html"


@pytest.mark.rest
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_is_whole(place, width, scheme):
    with launched() as browser:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        asked, complaints = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(place.as_uri())
        assert (asked, complaints) == ([place.as_uri()], [])
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "nothing sticks out"
        assert page.locator("figure svg[role=img]").count() == 5
        for each in page.locator("figure svg").all():
            assert each.locator("> title").text_content() and each.locator("> desc").text_content()
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 29)")
        clipped = page.evaluate(
            """() => [...document.querySelectorAll("figure svg text")].filter(text => {
                const inside = text.getBoundingClientRect(), around = text.closest("svg").getBoundingClientRect();
                return inside.left < around.left - 1 || inside.right > around.right + 1;
            }).map(text => text.textContent)"""
        )
        assert clipped == [], "every word is inside its picture"
        context.close()
