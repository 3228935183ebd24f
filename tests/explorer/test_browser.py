"""The page in a real Chromium: it asks nobody else, works by keyboard alone, and what is copied says the same."""

import contextlib
import io
import shlex
from urllib.parse import quote, urlsplit

import polars as pl
import pytest

import noisewise as nws
from noisewise.explorer.answer import PageAnswer
from noisewise.explorer.bindings import Bindings
from noisewise.explorer.data_files import PublicFile, PublicFiles
from tests.cli.running import invoke
from tests.explorer.browser import launched, serving
from tests.explorer.public_state import SMALL, checked

FIRST = "&".join(f"{key}={text}" for key, text in SMALL.items())
CONTROLS = ("textbox", "combobox", "slider", "radio", "button", "link", "ListBox", "DisclosureTriangle")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("public")
    (folder / "public.csv").write_text("pay,age\n" + "\n".join(f"{3 * k},{k}" for k in range(30)) + "\n")
    with serving(PublicFiles((PublicFile.of(str(folder / "public.csv"), Bindings(folder=folder)),))) as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with launched() as found:
        yield found


@pytest.fixture
def page(browser, address):
    """The page, in a window of its own; whatever it asks for and complains about is kept."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(30_000)
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=origin)
    page = context.new_page()
    page.asked, page.complaints = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.complaints.append(message.text))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.goto(f"{address}?{FIRST}")
    yield page
    own = urlsplit(address).netloc
    assert page.complaints == []
    assert page.asked and {urlsplit(url).netloc for url in page.asked} == {own}, (
        "no request leaves this computer"
    )
    context.close()


def status(page, *parts):
    """Wait until the headline says all of this."""
    for part in parts:
        page.locator("#status", has_text=part).wait_for()
    return page.locator("#status").inner_text()


def copied(page, what):
    page.get_by_role("button", name=f"Copy: {what}").click()
    status(page, "Copied")
    return page.evaluate("navigator.clipboard.readText()")


def test_another_column_or_source_brings_its_own_bounds(page):
    def bounds():
        return [page.input_value(f"#{name}") for name in ("low", "high", "granularity")]

    page.check("input[value=file]")
    assert bounds() == ["0", "90", "1"]
    page.select_option("#column", "0/age")
    assert bounds() == ["0", "30", "1"]
    page.wait_for_url("**column=0%2Fage**")
    page.check("input[value=shape]")
    assert bounds() == ["0", "150000", "50"]


@pytest.mark.round_trip
def test_the_first_answer_is_there_with_the_banner(page):
    status(page, "The median by balance at ε = 1")
    assert page.get_by_role("note").inner_text().startswith("Not private. Everything you give to this page")
    assert page.locator("svg[role=img]").count() == 4
    assert len(page.asked) == 4, "the page, its script, its style and its icon"


def test_typing_changes_the_answer_the_address_and_the_slider(page):
    page.get_by_label("Epsilon, ε").fill("0.1")
    status(page, "at ε = 0.1:")
    assert "epsilon=0.1" in page.url
    assert float(page.locator("#slider").input_value()) == -1
    page.get_by_label("Wanted error").fill("5")
    page.get_by_role("link", name="Use ε =").click()
    page.wait_for_function("document.getElementById('epsilon').value !== '0.1'")
    page.reload()
    status(page, f"at ε = {page.locator('#epsilon').input_value()}:")


def test_an_error_stands_beside_its_field(page):
    field = page.get_by_label("Upper bound")
    field.fill("-1")
    page.locator("#low-error", has_text="lowest < highest").wait_for()
    assert page.locator("#low").get_attribute("aria-invalid") == "true"
    field.fill("50")
    page.locator("#low-error:empty").wait_for(state="attached")
    assert page.locator("#low").get_attribute("aria-invalid") is None


def test_everything_is_reached_by_the_tab_key_and_the_slider_by_arrows(page):
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "(e => e.id || e.name || e.getAttribute('aria-label') || e.innerText)(document.activeElement)"
        )
        if name == "slider" and "slider" not in reached:
            page.keyboard.press("ArrowLeft")
        reached.append(name)
    shown = page.evaluate(
        "[...document.querySelectorAll('form input:not([type=radio]), form select, form textarea, summary, button')]"
        ".filter(e => e.offsetParent).map(e => e.id || e.getAttribute('aria-label') || e.innerText)"
    )
    assert set(shown) <= set(reached), set(shown) - set(reached)
    assert len(shown) > 20
    assert page.locator("#epsilon").input_value() == "0.95"
    status(page, "at ε = 0.95:")


def test_every_control_has_a_name_that_a_screen_reader_says(page):
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    controls = [
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in tree
        if not node.get("ignored") and node["role"]["value"] in CONTROLS
    ]
    assert len(controls) > 20
    assert [role for role, name in controls if not name.strip()] == []
    assert ("slider", "Epsilon, on a logarithmic scale") in controls


def test_what_is_copied_says_the_same(page, tmp_path):
    plan = PageAnswer.of(checked()).plan
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(copied(page, "Python: what to expect"), "copied", "exec"), scope)
    assert (scope["plan"].people, scope["plan"].shape_error) == (plan.people, plan.shape_error)
    done = invoke(*shlex.split(copied(page, "Command: what to expect"))[1:])
    assert done.stdout.strip() == str(scope["plan"])
    study = tmp_path / "study.toml"
    study.write_text(copied(page, "Study file"))
    assert invoke("study", "check", study).stdout.startswith("study.toml is in order: 1 question")
    assert nws.Study.read(study).questions[0].question.name == "median"


def test_a_sample_and_a_file_are_picked(page):
    page.get_by_label("a pasted sample").check()
    page.get_by_label("Numbers that anybody may see").fill("1 2 3 4 5")
    page.get_by_label("Number of records, n").fill("")
    status(page, "of these 5 records")
    page.get_by_label("a public file").check()
    page.get_by_label("Column").select_option(label="age")
    status(page, "of these 30 records")


def test_it_is_readable_on_a_phone_and_in_the_dark(page):
    page.set_viewport_size({"width": 420, "height": 800})
    page.emulate_media(color_scheme="dark")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 420
    paper, ink = page.evaluate(
        "(s => [s.backgroundColor, s.color].map(c => c.match(/\\d+/g).slice(0, 3).map(Number)))"
        "(getComputedStyle(document.body))"
    )
    assert sum(paper) < 120 < 600 < sum(ink)


def test_it_works_without_its_script(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}?{FIRST}")
    page.get_by_label("Epsilon, ε").fill("0.3")
    page.get_by_role("button", name="Update").click()
    status(page, "at ε = 0.3:")
    assert "epsilon=0.3" in page.url
    context.close()


HOSTILE = [
    "<script>window.ran = 1</script>",
    "<img src=x onerror='window.ran = 1'>",
    "\"><svg onload='window.ran = 1'>",
    "</title></style></script><script>window.ran = 1</script>",
]
"""Names and words that would run, were they not escaped."""


def ran(browser, html, address=None):
    """Whether a page ran a script of somebody's words; it is the page at the address where there is one."""
    context = browser.new_context()
    page = context.new_page()
    page.set_content(html) if address is None else page.goto(address)
    page.wait_for_timeout(50)  # what fails to load says so in a moment
    found = page.evaluate("window.ran === 1")
    context.close()
    return found


def test_no_word_of_somebody_is_run(browser, address, tmp_path):
    """Names of columns, categories, keys and ledgers, wherever they are shown as HTML, and what is typed in a form."""
    assert all(ran(browser, f'<title>{word}</title><p title="{word}">{word}</p>') for word in HOSTILE)
    frame = pl.DataFrame({word: [word, "b"] for word in HOSTILE} | {"x": [1.0, 2.0]})
    with nws.Ledger.open(tmp_path / "hostile.ledger", nws.PureDP(60)) as ledger:
        held = nws.Dataset(frame, ledger=ledger, name=HOSTILE[0])
        first, *others = HOSTILE
        shown = [held.histogram(word, categories=HOSTILE, epsilon=1, interval=0.9) for word in HOSTILE]
        shown.append(held.most_common(first, [*HOSTILE], epsilon=1))
        shown.append(held.group_by(*others, keys=[tuple(others), ("b", "b", "b")]).count(epsilon=1))
        shown.append(held.agg(**{word: nws.ask.mean("x", bounds=(0, 1), epsilon=1) for word in HOSTILE}))
        pages = [each._repr_html_() for each in (*shown, held, ledger)]
        nws.report(shown, ledger=ledger, path=tmp_path / "report.html", title=HOSTILE[3])
    pages.append((tmp_path / "report.html").read_text())
    assert sum("onerror" in page for page in pages) > 5, "they are shown"
    assert not ran(browser, "\n".join(pages[:-1])) and not ran(browser, pages[-1])
    typed = "&".join(f"{key}={quote(HOSTILE[3])}" for key in SMALL)
    assert not ran(browser, "", f"{address}?{typed}")
