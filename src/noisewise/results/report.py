"""The report: a page about releases and the ledger that paid for them, for a privacy officer to file and print.

NIST SP 800-226 evaluates differential privacy by the blocks of a pyramid. The headings of the report are these blocks,
from the top down:
1. the privacy parameters and the unit of privacy;
2. algorithms and correctness, utility, bias;
3. access control, trust models, side channels, data collection exposure.
A program cannot know everything. So the page marks what the caller guarantees, and has blanks to fill in.

The report is made of releases, cards and entries of a ledger, which are public. It reads no record.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from noisewise.calls import checked_call
from noisewise.errors import LedgerError, ParameterTypeError
from noisewise.kernel.numbers.exact import Number, describe
from noisewise.ledger.composition import compose
from noisewise.ledger.ledger import Ledger
from noisewise.ledger.ledger_report import HEADER
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.joint_release import JointRelease
from noisewise.results.pictures.html import (
    Markup,
    blank,
    drawing,
    facts_table,
    folded,
    heading,
    paragraph,
    promise,
    section,
    table,
)
from noisewise.results.pictures.html_page import Page
from noisewise.results.release import Release, now, of_columns, whom
from noisewise.results.release_html import answer_parts, promises_of, promises_of_fields
from noisewise.results.tidy import AnyRelease
from noisewise.version import GLOSSARY, __version__

Card = Mapping[str, Any]
FIELDS = {
    "card",
    "columns",
    "contributions",
    "law",
    "ledger",
    "neighbors",
    "owns",
    "people",
    "private",
    "statement",
}
"""The fields that a page needs of a card, besides the question and the answer."""

MOST_ROWS = 500
"""The most rows of one answer that are written."""


@dataclass(frozen=True, slots=True)
class ReportedAnswer:
    """An answer on the page: its card, and the release itself if the caller gave it."""

    card: Card
    release: AnyRelease | None = None

    @classmethod
    def of(cls, given: object) -> "ReportedAnswer":
        if isinstance(given, (Release, GroupedRelease, JointRelease)):
            return cls(given.card(), given)
        if isinstance(given, Mapping) and is_card(given):
            return cls(given)
        raise ParameterTypeError(
            "a report", "must be of a ledger, or of releases or their cards", got=describe(given)
        ) from None

    @property
    def title(self) -> str:
        if self.release is not None:
            return self.release.what
        return f"{self.card['what']}{of_columns(tuple(self.card['columns']))}"

    @property
    def protects(self) -> str:
        card = self.card
        return whom(card["neighbors"], card["contributions"], card["owns"], card["people"])

    @property
    def promises(self) -> list[str]:
        """Return what the caller guarantees. A card tells only a part of it."""
        if self.release is not None:
            return promises_of(self.release)
        card = self.card
        return promises_of_fields(
            card["neighbors"], card["contributions"], card["owns"], card["people"], card.get("bounds")
        )


def is_card(given: object) -> bool:
    """Whether ``given`` is a card: a mapping with the fields that the page shows."""
    return isinstance(given, Mapping) and {*FIELDS, "what", "value"} <= set(given)


@checked_call("report")
def report(
    of: Ledger | AnyRelease | Card | Iterable[AnyRelease | Card],
    path: str | os.PathLike[str] | None = None,
    *,
    ledger: Ledger | None = None,
    delta: Number | None = None,
    title: str = "Privacy report",
) -> Page:
    """One page of HTML about releases and their budget, to file, print or publish; it runs and fetches nothing.

    Args:
        of: A ledger, a release, or a list of releases or of their cards.
        path: A file to write it to.
        ledger: The ledger that paid for the releases. The page then has the budget, and says whether the receipts are
            the ledger's.
        delta: A small probability, at which the page also says the epsilon that a budget in zCDP, or without a ledger
            all releases together, are worth.
        title: The heading.

    Examples:
        >>> nws.report([median, by_dept], "report.html", ledger=ledger)
    """
    if isinstance(of, Ledger):
        ledger, given = of, []
    else:
        given = list(of) if isinstance(of, (list, tuple)) else [of]
    answers = [ReportedAnswer.of(each) for each in given]
    parts = [_opening(), *_guarantee(answers, ledger, delta), *_algorithms(answers, ledger)]
    page = Page.of(title, [*parts, *_deployment(), *_cards(answers)])
    if path is not None:
        page.save(path)
    return page


def _opening() -> Markup:
    return paragraph(
        f"Made by noisewise {__version__} at {now()} from released answers and a ledger's entries. No record was read "
        "for it. The headings are the layers of the pyramid in NIST SP 800-226. What the words mean: "
        f"{GLOSSARY}",
        "quiet",
    )


def _guarantee(answers: list[ReportedAnswer], ledger: Ledger | None, delta: Number | None) -> list[Markup]:
    """Return the part about the guarantee: the spent budget, whether the ledger is intact, and whom it protects."""
    protected = list(dict.fromkeys(each.protects for each in answers))
    promised = list(dict.fromkeys(text for each in answers for text in each.promises))
    return [
        heading("1. The guarantee", 2, "guarantee"),
        heading("Privacy parameters (ε, δ) and budget", 3),
        *(_sum(answers, delta) if ledger is None else _budget(ledger, answers, delta)),
        heading("Unit of privacy", 3),
        *(paragraph(f"Protected: {each}.") for each in protected),
        *([] if protected else [paragraph("What the ledger protects is said with its budget.")]),
        *map(promise, promised),
    ]


def _sum(answers: list[ReportedAnswer], delta: Number | None) -> list[Markup]:
    """Return the cost of all releases together, if no ledger was given."""
    losses = [each.release.privacy for each in answers if each.release is not None]
    together = f": {compose(*losses)}" if losses and len(losses) == len(answers) else ""
    if together and delta is not None:
        together += f"; that is {compose(*losses).as_approx(delta)}"
    return [
        paragraph(f"{_counted(len(answers), 'release')}{together}", "answer"),
        promise(
            "These are all answers that were released from the data: no ledger was given that counts them."
        ),
    ]


def _budget(ledger: Ledger, answers: list[ReportedAnswer], delta: Number | None) -> list[Markup]:
    """Return the budget, and whether the ledger and the receipts are unchanged."""
    receipts = [each.card["ledger"] for each in answers if isinstance(each.card["ledger"], Mapping)]
    try:
        entries, text, picture = ledger.verify(*receipts), ledger.report(delta), ledger.plot()
    except LedgerError as error:
        return [
            paragraph(f"Verification failed: {error}", "failed"),
            paragraph("What this ledger says cannot be believed; nothing of it is shown."),
        ]
    checked = "1 entry" if entries == 1 else f"{entries:,} entries"
    stand = f"{_counted(len(receipts), 'receipt')} of this page {'is' if len(receipts) == 1 else 'are'} among them"
    history = table(HEADER, text.rows, [True, False, True, True, True, False])
    return [
        facts_table(text.facts),
        paragraph(f"Verified: {checked}, none edited, removed or reordered; {stand}."),
        drawing(picture),
        folded("History", history),
    ]


def _algorithms(answers: list[ReportedAnswer], ledger: Ledger | None) -> list[Markup]:
    """Return the part about algorithms: each answer with its interval, its picture, its statement and its card."""
    none = paragraph("No answer was given to this page; the history above names what was released.")
    laws = list(dict.fromkeys(str(each.card["law"]) for each in answers))
    drawn = f" The answers above were drawn by {'; '.join(laws)}." if laws else ""
    return [
        heading("2. The algorithms and their answers", 2, "algorithms"),
        *([] if answers else [none]),
        *(section(_answer(n, each, ledger is not None), "release") for n, each in enumerate(answers, 1)),
        heading("Algorithms and correctness", 3),
        paragraph(
            "Answers are drawn by exact arithmetic: no floating-point number decides one. The budget is debited before "
            f"a record is read, and errors do not depend on records.{drawn}"
        ),
        heading("Utility", 3),
        paragraph(
            "An interval covers the noise, and nothing else: not who is missing from the data, nor mistakes in it. "
            "The same noise is a larger share of a small answer than of a large one."
        ),
        heading("Bias", 3),
        paragraph(
            "Records outside the bounds count as the nearest bound, which moves means and sums towards the middle. "
            "Noise hides small groups better than large ones, so that answers about few people are less reliable."
        ),
        blank("Who is missing from the data, and whom unreliable answers about small groups could harm."),
    ]


def _answer(number: int, answer: ReportedAnswer, in_ledger: bool) -> list[Markup]:
    """Return one answer. If only its card was given, show the numbers of the card."""
    card, release = answer.card, answer.release
    parts = [heading(f"Answer {number}: {answer.title}", 3)]
    if isinstance(release, JointRelease):
        for name, one in release.items():
            parts += [heading(f"{name}: {one.what}", 4), *_answer_and_interval(one)]
    elif release is not None:
        parts += _answer_and_interval(release)
    else:
        parts.append(paragraph(_plain(card["value"]), "answer"))
    if not card["private"]:
        parts.append(paragraph("NOT PRIVATE: drawn from a seed.", "failed"))
    parts.append(paragraph(card["statement"]))
    if card["ledger"] is None and in_ledger:
        parts.append(
            paragraph("This answer carries no receipt: the budget above does not count it.", "failed")
        )
    return [*parts, paragraph(f"Its card stands at the end of this page, as card {number}.", "quiet")]


def _answer_and_interval(release: Release | GroupedRelease) -> list[Markup]:
    """Return the answer, and its interval in words."""
    about = [release] if isinstance(release, Release) else list(release.each.values())
    sentences = filter(None, (one.interval_sentence() for one in about))
    return [
        *answer_parts(release, MOST_ROWS),
        *(paragraph(f"{each[0].upper()}{each[1:]}.") for each in sentences),
    ]


def _deployment() -> list[Markup]:
    """Return the part about the deployment: facts and blanks about everything that the guarantee depends on."""
    return [
        heading("3. The deployment", 2, "deployment"),
        heading("Access control", 3),
        blank("How the records are kept, who has access to them and to the ledger, and for how long."),
        heading("Trust models", 3),
        paragraph(
            "Central: whoever holds the data and asks the questions sees the records and is trusted. Protected are the "
            "people in the data, from everybody who reads the answers, whatever else those know."
        ),
        blank("Who holds the data, who may ask, and who reads the answers."),
        heading("Side channels", 3),
        paragraph(
            "How long an answer takes and how much memory it needs may depend on the data. Errors and warnings do not."
        ),
        blank("Who could measure how long an answer takes."),
        heading("Data collection exposure", 3),
        blank("How the data was collected, on what legal ground, and what people were told."),
    ]


def _cards(answers: list[ReportedAnswer]) -> list[Markup]:
    """Return all fields of all cards."""
    cards = [
        folded(f"Card {number}: {each.title}", facts_table(_flat(each.card)))
        for number, each in enumerate(answers, 1)
    ]
    return [heading("Cards", 2, "cards"), section(cards, "cards")] if cards else []


def _flat(card: Card, before: str = "") -> list[tuple[str, str]]:
    """Return all fields of a card, named by their paths, such as ``losses.pure.epsilon``."""
    lines: list[tuple[str, str]] = []
    for name, value in card.items():
        if isinstance(value, Mapping) and value:
            lines += _flat(value, f"{before}{name}.")
        else:
            lines.append((f"{before}{name}", _plain(value)))
    return lines


def _plain(value: object) -> str:
    if isinstance(value, (list, tuple)):
        each = (f"({_plain(one)})" if isinstance(one, (list, tuple)) else _plain(one) for one in value)
        return "; ".join(each)
    return "" if value is None else str(value)


def _counted(number: int, what: str) -> str:
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"
