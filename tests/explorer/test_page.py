"""The page: a banner, a label for every field, a table for every picture, and nothing that is not escaped."""

from html.parser import HTMLParser

import pytest

from noisewise.explorer.data_files import PublicFiles
from noisewise.explorer.page import BANNER, whole_page
from noisewise.explorer.server import Explorer
from noisewise.explorer.state import State
from tests.explorer.public_state import SMALL


class Elements(HTMLParser):
    """All elements of a page, with their attributes."""

    def __init__(self, text):
        super().__init__()
        self.all = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.all.append((tag, dict(attributes)))

    def of(self, *tags):
        return [attributes for tag, attributes in self.all if tag in tags]


def page(**fields):
    explorer = Explorer("t")
    state = State.of({**SMALL, **fields})
    result, status, errors = explorer.answered(state)
    return whole_page(state, errors, result or "", status, PublicFiles(), {})


@pytest.fixture(scope="module")
def usual():
    return page(goal="3")


def test_a_banner_says_that_nothing_here_is_private(usual):
    assert BANNER.startswith("Not private. Everything you give to this page is treated as public")
    assert "<strong>Not private.</strong> Everything you give to this page is treated as public data" in usual


def test_every_field_has_a_label_and_a_place_for_its_error(usual):
    elements = Elements(usual)
    labelled = {each["for"] for each in elements.of("label") if "for" in each}
    fields = [each for each in elements.of("input", "select", "textarea") if each.get("type") != "radio"]
    assert len(fields) > 15
    assert {each["id"] for each in fields} == labelled
    said = {each["data-field"] for each in elements.of("span") if "data-field" in each}
    assert {each["name"] for each in fields if "name" in each} <= said
    ids = [each["id"] for _, each in elements.all if "id" in each]
    assert len(ids) == len(set(ids))


def test_every_picture_is_named_and_stands_beside_a_table(usual):
    elements = Elements(usual)
    pictures = elements.of("svg")
    assert len(pictures) == 4 and all(each["role"] == "img" and each["aria-label"] for each in pictures)
    assert len(elements.of("table")) >= 7
    status = next(each for each in elements.of("p") if each.get("role") == "status")
    assert status["aria-live"] == "polite"


def test_no_style_and_no_script_is_inline(usual):
    elements = Elements(usual)
    assert elements.of("style") == []
    assert [
        each for _, each in elements.all if "style" in each or any(key.startswith("on") for key in each)
    ] == []
    assert [each.get("src") for each in elements.of("script")] == ["explorer.js"]
    addresses = [each[key] for _, each in elements.all for key in ("src", "href", "action") if key in each]
    assert addresses and not [
        each for each in addresses if ":" in each.partition("?")[0] or each.startswith("/")
    ]


def test_all_parts_are_there(usual):
    for part in (
        "All mechanisms on one axis",
        "Accuracy to ε, and back",
        "An error of at most 3 needs ε =",
        "Clamping",
        "If one person has several records",
        "The risk, in plain words",
        "What it costs, in every currency",
        "zCDP ρ",
        "Bounded range ε",
        "Python: what to expect",
        "Command: what to expect",
        "Study file",
    ):
        assert part in usual, part


def test_what_is_wrong_stands_beside_its_field():
    text = page(epsilon="<b>one</b>")
    assert 'id="epsilon-error" data-field="epsilon">must be a number' in text
    field = next(each for each in Elements(text).of("input") if each.get("name") == "epsilon")
    assert field["aria-invalid"] == "true" and "epsilon-error" in field["aria-describedby"]
    assert "Nothing to show yet" in text


def test_what_was_typed_is_escaped():
    text = page(epsilon='"><script>1</script>', sample="</textarea><script>2</script>", question="<i>")
    assert len(Elements(text).of("script")) == 1 and "<i>" not in text


def test_questions_without_bounds_and_under_swap():
    assert "nothing is clamped" in page(question="count", granularity="")
    assert "Not here:" in page(neighbors="swap")


def test_a_price_in_rho_is_explained():
    shown = page(question="median", price="rho", rho="0.1")
    for text in (
        "ρ = 0.1",
        "Accuracy to ρ, and back",
        "This ρ is worth ε = 2.142",
        "ten times this ρ",
        "zCDP",
    ):
        assert text in shown, text
    assert "Believed before" not in shown
    assert "rho = 0.1" in shown and "rho=0.1" in shown and "--rho 0.1" in shown
    assert "must be epsilon or rho" in page(price="delta")
    assert "by several noisy sums" in page(question="mean", price="rho")
