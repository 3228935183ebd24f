"""The page: a banner, the form, and the parts of the answer, each with a picture and a table of the same numbers."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from noisewise.explorer import risk
from noisewise.explorer.answer import PageAnswer, Seen
from noisewise.explorer.data_files import PublicFiles
from noisewise.explorer.exports import Exports
from noisewise.explorer.form import Form, quoted_lines
from noisewise.explorer.pictures import (
    contributions_picture,
    laws_picture,
    price_picture,
    records_picture,
    symbol_of,
)
from noisewise.explorer.state import State
from noisewise.kernel.losses import ZCDP, BoundedRange, Loss
from noisewise.kernel.numbers.exact import spell
from noisewise.kernel.prices import Rho, said
from noisewise.ledger.amounts import above
from noisewise.ledger.composition import compose
from noisewise.planning.distances import about, up
from noisewise.results.pictures.digits import to_three, up_to_three
from noisewise.results.pictures.html import Markup, heading, paragraph, section, table
from noisewise.results.pictures.svg import STYLE, Picture, quoted

BANNER = (
    "Not private. Everything you give to this page is treated as public data and shown without noise: use a shape, a "
    "made-up sample or a public file, never the records you want to protect."
)
RELEASES = (1, 10, 100)


def whole_page(
    state: State,
    errors: Mapping[str, str],
    result: Markup,
    status: str,
    files: PublicFiles,
    links: Mapping[str, State],
) -> str:
    """Return the whole page for one state of the form."""
    asked = ""
    if links:
        each = " ".join(
            f'<a class="button" href="?{quoted(other.query())}">{quoted(name)}</a>'
            for name, other in links.items()
        )
        asked = f'<nav aria-label="Questions of the study"><p>Questions of the study: {each}</p></nav>'
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>noisewise explorer</title>'
        '<link rel="stylesheet" href="explorer.css"><link rel="icon" href="icon.svg">'
        '<script src="explorer.js" defer></script></head>\n<body><a class="skip" href="#result">To the answer</a>'
        f'<div class="banner" role="note" aria-label="Warning"><p><strong>{quoted(BANNER[:12])}</strong>'
        f"{quoted(BANNER[12:])}</p></div>"
        "<header><h1>noisewise explorer</h1><p>What a private answer would cost, how good it would be, and what it "
        f"would tell about one person, before anything is asked of private data.</p>{asked}</header>"
        f'<main class="layout">{Form(state, errors, files).html()}'
        f'<p id="status" role="status" aria-live="polite" class="card headline">{quoted(status)}</p>'
        f'<div id="result" tabindex="-1">{result}</div></main>'
        "<footer><p>This page comes from your own computer and sends nothing anywhere. Stop it by Ctrl+C where it was "
        "started.</p></footer></body></html>\n"
    )


def status_of(answer: PageAnswer) -> str:
    """Return the answer as one sentence. A screen reader reads it out whenever it changes."""
    plan = answer.plan
    sure = spell(100 * plan.confidence)
    return (
        f"The {_words(answer.inputs.kind.name)} by {_words(plan.mechanism)} at {said(plan.price)}: with "
        f"probability {sure}% at most {up(answer.chosen.error)} from the true answer of these "
        f"{answer.inputs.records.size:,} records, {about(answer.chosen.mean_error)} on average."
    )


def result_of(answer: PageAnswer, exports: Exports) -> Markup:
    """Return all parts of the answer as HTML."""
    return Markup(
        "".join(
            [
                _laws(answer),
                '<div class="two">',
                _accuracy(answer),
                _clamping(answer),
                _contributions(answer),
                _risk(answer),
                "</div>",
                _cost(answer),
                _copies(exports),
            ]
        )
    )


def mended(errors: Mapping[str, str]) -> str:
    """Return all errors of fields as one sentence."""
    return "Nothing to show yet. To be mended: " + "; ".join(
        f"{name.removeprefix('own-')}: {text}" for name, text in errors.items()
    )


def embedded(picture: Picture) -> Markup:
    """Return a picture as HTML. Its style is in the style sheet of the page, as the page allows no inline style."""
    return Markup(f"<figure>{picture.svg.replace(STYLE, '')}</figure>")


def _laws(answer: PageAnswer) -> Markup:
    rows = [_law_row(each, answer) for each in answer.seen]
    sure = f"{float(100 * answer.inputs.confidence):g}% within"
    names = ("Mechanism", "Mean error", sure, "Loss")
    seed = str(answer.inputs.seed + 1)
    again = (
        f'<p><a class="button" href="?{quoted(answer.inputs.said.query(seed=seed))}" data-set="seed" '
        f'data-value="{seed}">Draw other dots</a></p>'
    )
    promise = f"Whatever the records are: {replace(answer.plan, shape_error=None)}."
    return _card(
        "All mechanisms on one axis",
        embedded(laws_picture(answer)),
        _table(names, rows, (False, True, True, False)),
        Markup(again),
        paragraph(promise, "quiet"),
    )


def _law_row(each: Seen, answer: PageAnswer) -> list[str]:
    name = _words(each.name) + (" (used)" if each.name == answer.plan.mechanism else "")
    if each.law is None:
        return [name, "", "", each.reason]
    return [
        name,
        to_three(each.mean_error),
        up_to_three(each.error),
        "zCDP"
        if isinstance(each.loss, ZCDP)
        else "bounded range"
        if isinstance(each.loss, BoundedRange)
        else "pure",
    ]


def _accuracy(answer: PageAnswer) -> Markup:
    rows = [[to_three(price), up_to_three(error)] for price, error in answer.by_price]
    symbol, field = symbol_of(answer.inputs.price), answer.inputs.said["price"]
    said = f"Type a wanted error into the form to see which {symbol} is enough for it."
    use = ""
    if answer.needed is not None and answer.inputs.goal is not None:
        wanted, needed = up_to_three(float(answer.inputs.goal)), f"{answer.needed:.10g}"
        said = f"An error of at most {wanted} needs {symbol} = {needed}."
        use = (
            f'<p><a class="button" href="?{quoted(answer.inputs.said.query(**{field: needed}))}" '
            f'data-set="{field}" data-value="{needed}">Use {symbol} = {needed}</a></p>'
        )
    return _card(
        f"Accuracy to {symbol}, and back",
        paragraph(said),
        Markup(use),
        embedded(price_picture(answer)),
        _folded("The same as a table", (symbol, "error at most"), rows, (True, True)),
    )


def _clamping(answer: PageAnswer) -> Markup:
    clamped = answer.clamped
    if clamped is None:
        return _card("Clamping", paragraph("This question has no bounds: nothing is clamped."))
    size = answer.inputs.records.size
    outside = clamped.below + clamped.above
    said = f"{outside:,} of {size:,} records ({100 * outside / size:.3g}%) lie outside the bounds and are moved there."
    bias = "What that does to the true answer cannot be said here."
    if clamped.bias is not None:
        bias = f"That moves the true answer by {clamped.bias:+,.3g} before any noise: a bias that no price removes."
    rows = [["below the lower bound", f"{clamped.below:,}"], ["above the upper bound", f"{clamped.above:,}"]]
    return _card(
        "Clamping",
        paragraph(said),
        paragraph(bias),
        embedded(records_picture(answer)),
        _folded("The same as a table", ("Records", "How many"), rows, (False, True)),
    )


def _contributions(answer: PageAnswer) -> Markup:
    title = "If one person has several records"
    if not answer.by_contributions:
        return _card(title, paragraph(f"Not here: {answer.not_by_contributions}."))
    rows = [[f"{count:,}", up_to_three(error)] for count, error in answer.by_contributions]
    symbol = symbol_of(answer.inputs.price)
    return _card(
        title,
        paragraph(
            f"The same {symbol} must cover all records of a person: the more they may have, the larger the error."
        ),
        embedded(contributions_picture(answer)),
        _folded("The same as a table", ("contributions", "error at most"), rows, (True, True)),
    )


def _risk(answer: PageAnswer) -> Markup:
    inputs = answer.inputs
    relation, owned = inputs.said["neighbors"], int(inputs.keywords.get("contributions", 1))
    price, before = inputs.price, ("Believed before", "Believed afterwards, at most")
    believed = () if isinstance(price, Rho) else (_table(before, risk.table(price), (True, True)),)
    sentences = risk.sentences(price, relation, owned, inputs.delta)
    return _card("The risk, in plain words", *map(paragraph, sentences), *believed)


def _cost(answer: PageAnswer) -> Markup:
    delta = answer.inputs.delta
    names = ("Mechanism", "Pure ε", "Bounded range ε", "zCDP ρ", f"ε at δ = {spell(delta)}")
    rows = [_currencies(each, delta) for each in answer.seen if each.loss is not None]
    chosen = answer.chosen.loss
    assert chosen is not None, "the mechanism of a plan has a loss"
    several = [_together(chosen, count, delta) for count in RELEASES]
    return _card(
        "What it costs, in every currency",
        _table(names, rows, (False, True, True, True, True)),
        heading("Several such answers together", 3),
        _table(("Answers", "Pure ε", "zCDP ρ", f"ε at δ = {spell(delta)}"), several, (True,) * 4),
        paragraph(
            "Rounded up. Of two prices of several answers a budget in ε and δ counts the smaller one.",
            "quiet",
        ),
    )


def _currencies(each: Seen, delta: Fraction) -> list[str]:
    loss = each.loss
    assert loss is not None
    ranged = above(loss.epsilon) if isinstance(loss, BoundedRange) else "–"
    return [
        _words(each.name),
        _pure(loss),
        ranged,
        above(loss.as_zcdp().rho),
        above(loss.as_approx(delta).epsilon),
    ]


def _together(loss: Loss, count: int, delta: Fraction) -> list[str]:
    together = compose([loss] * count)
    pure = "–" if together.epsilon is None else above(together.epsilon)
    return [f"{count:,}", pure, above(together.rho), above(together.as_approx(delta).epsilon)]


def _pure(loss: Loss) -> str:
    return "–" if isinstance(loss, ZCDP) else above(loss.as_pure().epsilon)


def _copies(exports: Exports) -> Markup:
    parts = [
        ("python", "Python: what to expect", exports.python),
        ("command", "Command: what to expect", exports.command),
        ("study", "Study file, to be checked, priced and run", exports.study),
        ("python-release", "Python: the private answer itself", exports.python_release),
        ("command-release", "Command: the private answer itself", exports.command_release),
    ]
    return _card(
        "Take it with you",
        paragraph(
            "The first three run as they stand. For the private answer, name your own file and column.",
            "quiet",
        ),
        *(_copy(*each) for each in parts),
    )


def _copy(name: str, title: str, text: str) -> Markup:
    return Markup(
        f'<div class="copy"><h3>{quoted(title)}</h3><button type="button" data-copy="copy-{name}" '
        f'data-what="{quoted(title)}" aria-label="Copy: {quoted(title)}">Copy</button></div>'
        f'<pre id="copy-{name}" tabindex="0" aria-label="{quoted(title)}">{quoted_lines(text)}</pre>'
    )


def _card(title: str, *parts: Markup) -> Markup:
    return section([heading(title, 2), *parts], "card")


def _table(
    names: tuple[str, ...], rows: list[list[str]] | list[tuple[str, str]], right: tuple[bool, ...]
) -> Markup:
    return Markup(f'<div class="scroll">{table(names, rows, right)}</div>')


def _folded(title: str, names: tuple[str, ...], rows: list[list[str]], right: tuple[bool, ...]) -> Markup:
    return Markup(f"<details><summary>{quoted(title)}</summary>{_table(names, rows, right)}</details>")


def _words(name: str) -> str:
    return name.replace("_", " ")
