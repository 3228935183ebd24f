"""``noisewise ledger``: create a ledger, show what was spent, verify that nothing was changed."""

import json as text_of
import os
from collections.abc import Mapping
from typing import Any

from noisewise.cli.app import TOOLS
from noisewise.cli.options import CONTRIBUTIONS, JSON, NAME, NEIGHBORS, OUTPUT, UNIT, Option, Part, Parts
from noisewise.cli.output_file import Content, output_file
from noisewise.cli.screen import emit
from noisewise.errors import LedgerError, ParameterError, SchemaError
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.kernel.numbers.exact import describe
from noisewise.ledger.books import from_home, is_address
from noisewise.ledger.ledger import Ledger

BUDGET = "The budget"
PLACE = {
    "place": Option(
        "", "A file or a postgresql:// URL.", metavar="PLACE", required=True, envvar="NOISEWISE_LEDGER"
    )
}
CREATED = {
    "epsilon": Option("--epsilon", "All that may be spent, as epsilon.", BUDGET, "NUMBER"),
    "delta": Option("--delta", "With --epsilon: the chance of a loss beyond it.", BUDGET, "NUMBER"),
    "rho": Option("--rho", "All that may be spent, as rho of zCDP.", BUDGET, "NUMBER"),
    "unit": UNIT,
    "contributions": CONTRIBUTIONS,
    "neighbors": NEIGHBORS,
}
RECEIPT = Option(
    "--receipt", "What --json printed for a release it paid; may be said again.", None, "FILE", many=True
)
SHOWN = RECEIPT._replace(
    help="What --json printed for a release, which the page then shows; may be said again."
)
WORTH = Option(
    "--delta", "With a budget in rho: also say the epsilon that it is worth at this delta.", None, "NUMBER"
)
HTML = Option("--html", "Where to write the page.", None, "FILE", required=True)
OF_NAME = {"name": NAME}


def command(name: str) -> Any:
    """Return the command ``ledger``, with all commands about ledgers."""
    parts: Mapping[str, Part] = {
        "create": (_create, {**PLACE, **CREATED, **OF_NAME}, "staff.ledger --epsilon 1"),
        "show": (_show, {**PLACE, "delta": WORTH, **OF_NAME, "output": OUTPUT, "json": JSON}, "staff.ledger"),
        "verify": (
            _verify,
            {**PLACE, "receipt": RECEIPT, **OF_NAME, "json": JSON},
            "staff.ledger --receipt median.json",
        ),
        "report": (
            _report,
            {**PLACE, "html": HTML, "receipt": SHOWN, "delta": WORTH, **OF_NAME},
            "staff.ledger --html report.html",
        ),
        "registry": (_registry, {**PLACE, "delta": WORTH, **OF_NAME}, "staff.ledger"),
    }
    return Parts(name, TOOLS[name], parts)


def _create(place: str, epsilon: str | None, delta: str | None, rho: str | None, **given: Any) -> None:
    """Create a ledger, with a budget that never grows."""
    from noisewise.questions.typed import whole

    name, contributions = given["name"], given["contributions"]
    if contributions is not None:
        given["contributions"] = whole("contributions", contributions)
    if given["unit"] is not None and given["neighbors"] == "swap":
        raise ParameterError("--neighbors", "must be add_remove with --unit", got="swap") from None
    budget = _budget(epsilon, delta, rho)
    if is_there(place, name):
        raise LedgerError(f"there is a ledger at {place} already: noisewise ledger show {place}") from None
    terms = {key: value for key, value in given.items() if value is not None}
    emit(str(Ledger.open(place, budget=budget, **terms).report()))


def _show(place: str, delta: str | None, name: str | None, output: str | None, json: bool) -> None:
    """What was spent, what remains, and the history."""
    from noisewise.ledger.ledger_report import HEADER
    from noisewise.results.report import report as write_report

    with output_file(output, place) as write:
        ledger = open_ledger(place, name)
        at = _delta(delta)
        report = ledger.report(at)
        table = {head: [row[index] for row in report.rows] for index, head in enumerate(HEADER)}
        write(Content(report.to_dict, lambda: table, lambda: write_report(ledger, delta=at).html))
    emit(text_of.dumps(report.to_dict()) if json else str(report))


def _verify(place: str, receipt: list[str] | None, name: str | None, json: bool) -> None:
    """Check every entry, and that the receipts you kept stand among them."""
    receipts = [_receipt(path) for path in receipt or []]
    entries = open_ledger(place, name).verify(*receipts)
    if json:
        emit(text_of.dumps({"entries": entries, "receipts": len(receipts)}))
    else:
        checked = "1 entry" if entries == 1 else f"{entries:,} entries"
        stand = "1 receipt stands" if len(receipts) == 1 else f"{len(receipts):,} receipts stand"
        emit(f"{checked}, none edited, removed or reordered; {stand} among them")


def _report(place: str, html: str, receipt: list[str] | None, delta: str | None, name: str | None) -> None:
    """Write a page of HTML to file and print: the budget, its history, and the answers whose receipts are given."""
    from noisewise.results.report import report as write_report

    cards = [_card(path) for path in receipt or []]
    ledger = open_ledger(place, name)
    at = _delta(delta)
    page = write_report(cards, ledger=ledger, delta=at) if cards else write_report(ledger, delta=at)
    try:
        page.save(html)
        return emit(f"written to {html}")
    except (OSError, ValueError):
        pass
    raise ParameterError("html", "must be a file that can be written", got=describe(html)) from None


def _registry(place: str, delta: str | None, name: str | None) -> None:
    """A record for the OpenDP registry of deployments, in YAML; what only a person can know is marked."""
    emit(open_ledger(place, name).registry(_delta(delta)).rstrip())


def open_ledger(place: str, name: str | None) -> Ledger:
    """Open an existing ledger. A command that spends never creates one."""
    if not is_there(place, name):
        raise LedgerError(
            f"there is no ledger at {place}: noisewise ledger create {place} --epsilon 1"
        ) from None
    return _opened(place, name)


def is_there(place: str, name: str | None) -> bool:
    """Whether there is a ledger at ``place``, a file or the address of a database."""
    if not place.strip():
        raise ParameterError(
            "the place of a ledger", "must be a file or a postgresql:// URL", got=describe(place)
        ) from None
    if not is_address(place) and not os.path.exists(from_home(place)):
        return False  # opening would leave an empty file behind
    try:
        _opened(place, name)
    except ParameterError as error:
        if error.kind == "no ledger":
            return False
        raise
    return True


def _opened(place: str, name: str | None) -> Ledger:
    return Ledger.open(place) if name is None else Ledger.open(place, name=name)


def _budget(epsilon: str | None, delta: str | None, rho: str | None) -> PureDP | ZCDP | ApproxDP:
    if (epsilon is None) == (rho is None) or (rho is not None and delta is not None):
        raise ParameterError(
            "the budget", "must be --epsilon 1, --epsilon 1 --delta 1e-6, or --rho 0.5"
        ) from None
    if rho is not None:
        return ZCDP(_above_zero("rho", rho))
    total = _above_zero("epsilon", str(epsilon))
    return PureDP(total) if delta is None else ApproxDP(total, _above_zero("delta", delta))


def _delta(text: str | None) -> Any:
    return None if text is None else _above_zero("delta", text)


def _above_zero(name: str, text: str) -> Any:
    from noisewise.questions.typed import number as read

    number = read(name, text)
    if number == 0:
        raise ParameterError(name, "must be above 0", got=text) from None
    return number


def _receipt(path: str) -> dict[str, Any]:
    """Return the entry of the ledger in a file with the output of a command."""
    card = _read(path)
    if isinstance(card, dict) and "ledger" in card:
        entry = card if "hash" in card else card["ledger"]
        if isinstance(entry, dict):
            return entry
    raise _no_receipt(path) from None


def _card(path: str) -> dict[str, Any]:
    """Return the card of a release in a file with the output of a command."""
    from noisewise.results.report import is_card

    card = _read(path)
    if not is_card(card) or not isinstance(card["ledger"], dict):
        raise _no_receipt(path) from None
    return dict(card)


def _read(path: str) -> Any:
    """Return the content of a JSON file, or None if it cannot be read as JSON."""
    try:
        with open(path, encoding="utf-8") as file:
            return text_of.load(file)
    except (OSError, ValueError, RecursionError):
        return None


def _no_receipt(path: str) -> SchemaError:
    return SchemaError(
        "receipt",
        "must be a file with what --json printed for a release that a ledger paid",
        got=describe(path),
    )
