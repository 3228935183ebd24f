"""The report: a page about releases and the ledger that paid for them, to read, to publish and to file.

First a table of all answers, then a picture of each, then what is promised, in plain words and once, and the budget.
The last sections are for people who evaluate the release, by the blocks of the pyramid of NIST SP 800-226. A program
cannot know everything. So the page marks what the caller guarantees, and has blanks to fill in.

The report is made of releases, cards and entries of a ledger, which are public. It reads no record.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from noisewise.calls import checked_call
from noisewise.errors import LedgerError, ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, Loss
from noisewise.kernel.numbers.exact import Number, describe, spell
from noisewise.ledger.amounts import Amount, above
from noisewise.ledger.composition import compose
from noisewise.ledger.ledger import Ledger
from noisewise.ledger.ledger_report import HEADER
from noisewise.results.card import afterwards, how_much_it_tells
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.joint_release import JointRelease
from noisewise.results.pictures.html import (
    Markup,
    blank,
    bullets,
    drawing,
    facts_table,
    folded,
    heading,
    paragraph,
    section,
    table,
)
from noisewise.results.pictures.html_page import Page
from noisewise.results.release import Release, now, of_columns, whom
from noisewise.results.release_html import pictures_of, promises_of, promises_of_fields, table_of
from noisewise.results.tidy import AnyRelease, Row, columns_of, rows_of
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
FEW_NUMBERS = 5
"""The most numbers of one answer that have a row each in the summary."""
DRAWN = 30
"""The most rows of an answer that is drawn, and the most groups that have a row each in the summary."""
BELIEFS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2))
"""How likely somebody believes a guess about a person before reading the answers, in the table of the promise."""


@dataclass(frozen=True, slots=True)
class ReportedAnswer:
    """An answer on the page: its name, its card, and the release itself if the caller gave it."""

    card: Card
    release: AnyRelease | None = None
    name: str = ""

    @classmethod
    def of(cls, given: object, name: str = "") -> "ReportedAnswer":
        if isinstance(given, (Release, GroupedRelease, JointRelease)):
            return cls(given.card(), given, name)
        if isinstance(given, Mapping) and is_card(given):
            return cls(given, None, name)
        raise ParameterTypeError(
            "a report", "must be of a ledger, or of releases or their cards", got=describe(given)
        ) from None

    @property
    def title(self) -> str:
        if self.name:
            return self.name
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

    @property
    def parts(self) -> list[tuple[str, Release | GroupedRelease]]:
        """Return the questions of this answer that are shown one by one, with their titles."""
        if isinstance(self.release, JointRelease):
            before = f"{self.name}: " if self.name else ""
            return [(f"{before}{name}", one) for name, one in self.release.items()]
        return [] if self.release is None else [(self.title, self.release)]


def is_card(given: object) -> bool:
    """Whether ``given`` is a card: a mapping with the fields that the page shows."""
    return isinstance(given, Mapping) and {*FIELDS, "what", "value"} <= set(given)


Given = AnyRelease | Card


@checked_call("report")
def report(
    of: Ledger | Given | Iterable[Given] | Mapping[str, Given],
    path: str | os.PathLike[str] | None = None,
    *,
    ledger: Ledger | None = None,
    delta: Number | None = None,
    title: str = "Privacy report",
) -> Page:
    """One page of HTML about releases and their budget, to file, print or publish; it runs and fetches nothing.

    Args:
        of: A ledger, a release, or a list of releases or of their cards, or a dictionary of them by the names that the
            page gives them.
        path: A file to write it to, whose name ends in ``.html``.
        ledger: The ledger that paid for the releases. The page then has the budget, and says whether the receipts are
            the ledger's.
        delta: A small probability, at which the page also says the epsilon that a budget in zCDP, or without a ledger
            all releases together, are worth.
        title: The heading.

    Examples:
        >>> nws.report({"Median pay": median, "Staff": by_dept}, "report.html", ledger=ledger)
    """
    if path is not None and Path(path).suffix.lower() not in (".html", ".htm"):
        raise ParameterError("path", "must end in .html", got=repr(os.fspath(path))) from None
    if isinstance(of, Ledger):
        ledger, answers = of, []
    elif isinstance(of, Mapping) and not isinstance(of, JointRelease) and not is_card(of):
        answers = [ReportedAnswer.of(each, str(name)) for name, each in of.items()]
    else:
        given = list(of) if isinstance(of, (list, tuple)) else [of]
        answers = [ReportedAnswer.of(each) for each in given]
    page = Page.of(title, list(_parts(answers, ledger, delta)), subtitle=_subtitle(answers))
    if path is not None:
        page.save(path)
    return page


def _parts(answers: list[ReportedAnswer], ledger: Ledger | None, delta: Number | None) -> Iterator[Markup]:
    budget = BudgetPart.of(ledger, answers, delta)
    yield from _summary(answers, budget)
    if answers:
        yield heading("The answers, one by one", 2, "answers")
    for each in answers:
        yield section(_answer(each, ledger is not None), "release")
    yield from _promise(answers, budget, delta)
    yield from budget.shown()
    yield from _evaluation(answers)
    yield from _details(answers)


def _subtitle(answers: list[ReportedAnswer]) -> str:
    """Return what the page is about, in a sentence."""
    if not answers:
        return "What was released, and what it cost"
    days = sorted({str(each.card["when"])[:10] for each in answers if each.card.get("when")})
    when = f", released on {days[0]}" if len(days) == 1 else f", released from {days[0]} to {days[-1]}"
    number = "One answer" if len(answers) == 1 else f"{len(answers):,} answers"
    noise = (
        "It has a little noise, which hides" if len(answers) == 1 else "Each has a little noise, which hides"
    )
    return f"{number}{when if days else ''}. {noise} every single person."


@dataclass(frozen=True, slots=True)
class BudgetPart:
    """The budget of a ledger, or the releases' own costs if no ledger was given; ``failed`` says why it is unknown."""

    ledger: Ledger | None
    facts: tuple[tuple[str, str], ...] = ()
    parts: tuple[Markup, ...] = ()
    spent: "Loss | None" = None
    failed: str = ""

    @classmethod
    def of(cls, ledger: Ledger | None, answers: list[ReportedAnswer], delta: Number | None) -> "BudgetPart":
        given = [each.release.privacy for each in answers if each.release is not None]
        losses = tuple(given) if len(given) == len(answers) else ()
        if ledger is None:
            return cls(None, spent=_together(losses, delta))
        receipts = [each.card["ledger"] for each in answers if isinstance(each.card["ledger"], Mapping)]
        receipts = list({str(each.get("hash")): each for each in receipts}.values())
        try:
            entries, text, picture = ledger.verify(*receipts), ledger.report(delta), ledger.plot()
            spent = ledger.spent
        except LedgerError as error:
            return cls(ledger, failed=str(error))
        checked = "1 entry" if entries == 1 else f"{entries:,} entries"
        paid = ""
        if receipts:
            answers_are = "The answer is" if len(answers) == 1 else "The answers are"
            numbers = sorted(int(each["number"]) for each in receipts)
            named = "entry" if len(numbers) == 1 else "entries"
            paid = f" {answers_are} paid by {named} {', '.join(map(str, numbers))}."
        history = table(HEADER, text.rows, [True, False, True, True, True, False], kind="entries")
        parts = (
            drawing(picture),
            paragraph(f"Ledger verified: {checked}, none edited, removed or reordered.{paid}", "verified"),
            folded("All entries", history),
        )
        facts = tuple(each for each in text.facts if each[0] != "ledger")
        return cls(ledger, facts, parts, spent)

    def shown(self) -> list[Markup]:
        """Return the section about the budget."""
        top = heading("Budget", 2, "budget")
        if self.failed:
            return [
                top,
                paragraph(f"Verification failed: {self.failed}", "failed"),
                paragraph("What this ledger says cannot be believed; nothing of it is shown."),
            ]
        if self.ledger is not None:
            return [top, facts_table(self.facts), *self.parts]
        total = f"All answers of this page together: {self.spent}." if self.spent is not None else ""
        return [
            top,
            *([paragraph(total)] if total else []),
            paragraph(
                "No ledger was given. Whoever publishes this page guarantees that nothing else was released."
            ),
        ]

    def share(self, loss: Loss) -> str:
        """Return which part of the budget a loss is, as text; without a ledger the loss itself."""
        cost = Amount.of(loss)
        if self.ledger is None or self.failed:
            own = cost.rho if isinstance(loss, ZCDP) else cost.epsilon
            symbol = "ρ" if isinstance(loss, ZCDP) else "ε"
            return f"{symbol} {above(own)}" if own is not None else ""
        budget = self.ledger.budget
        part, whole = (cost.rho, budget.rho) if isinstance(budget, ZCDP) else (cost.epsilon, budget.epsilon)
        if part is None or not whole:
            return ""
        percent = 100 * part / whole
        return "under 0.1%" if 0 < percent < Fraction(1, 10) else f"{float(percent):.3g}%"

    @property
    def column(self) -> str:
        return "price" if self.ledger is None or self.failed else "share of budget"


def _together(losses: tuple[Loss, ...], delta: Number | None) -> "Loss | None":
    """Return the loss of all releases together: pure if they all are, at ``delta`` if it is given, else in zCDP."""
    if not losses:
        return None
    total = compose(*losses)
    if total.epsilon is not None and not total.delta and delta is None:
        return total.as_pure()
    if delta is not None:
        return total.as_approx(delta)
    return total.as_zcdp() if not total.delta else total.as_approx(total.delta) if total.epsilon else None


def _summary(answers: list[ReportedAnswer], budget: BudgetPart) -> Iterator[Markup]:
    """Yield the table of all answers: what was asked, the group, the value, its interval, how many, and the price."""
    if not answers:
        return
    yield heading("Summary", 2, "summary")
    rows = [row for each in answers for row in _summary_rows(each, budget)]
    found = [
        interval
        for each in answers
        for _, one in each.parts
        if (interval := _noise_interval(one)) is not None
    ]
    sure = {spell(100 * each.confidence) for each in found}
    names = [
        "name",
        "group",
        "value",
        f"{sure.pop()}% interval" if len(sure) == 1 else "interval",
        "n",
        budget.column,
    ]
    shown = [
        index
        for index, name in enumerate(names)
        if name in ("name", "value", budget.column) or any(row[index] for row in rows)
    ]
    yield table(
        [names[index] for index in shown],
        [[row[index] for index in shown] for row in rows],
        [index > 1 for index in shown],
        kind="summary",
    )
    if found:
        which = ", ".join(sorted({f"{spell(100 * each.confidence)}%" for each in found}))
        yield paragraph(
            f"Interval: it holds the number that these records would give without noise, with a probability of "
            f"{which}. It is about the noise alone, not about who is missing from the data.",
            "quiet",
        )
    if 4 in shown:
        yield paragraph("n: about how many records the answer rests on, itself a noisy number.", "quiet")
    if budget.ledger is not None and not budget.failed:
        yield paragraph(f"Share of budget: of {budget.ledger.budget}.", "quiet")


def _noise_interval(release: Release | GroupedRelease) -> Any:
    each = [release] if isinstance(release, Release) else list(release.each.values())
    return next((one.noise_interval for one in each if one.noise_interval is not None), None)


def _summary_rows(answer: ReportedAnswer, budget: BudgetPart) -> Iterator[tuple[str, ...]]:
    """Yield the rows of an answer: one for each number or group, or one in all if there are many."""
    if answer.release is None:
        yield (answer.title, "", _plain(answer.card["value"])[:120], "", "", "")
        return
    price = budget.share(answer.release.privacy)
    for title, release in answer.parts:
        each = {"": release} if isinstance(release, Release) else release.each
        for name, one in each.items():
            named = f"{title}: {name}" if len(each) > 1 else title
            rows = [row for row in rows_of(release) if row.answer is one]
            for first, second, *rest in _rows_of(named, release, one, rows):
                yield (first, second, *rest, price)
                price = ""


def _rows_of(
    name: str, release: Release | GroupedRelease, one: Release, rows: list[Row]
) -> Iterator[tuple[str, ...]]:
    grouped = isinstance(release, GroupedRelease)
    several = len({row.path for row in rows}) > 1
    if len(rows) > (FEW_NUMBERS if several else DRAWN) or (several and grouped):
        numbers = sorted(
            (row for row in rows if isinstance(row.value, (int, float))), key=lambda row: row.value
        )
        ends = f"{numbers[0].printed().value} to {numbers[-1].printed().value}" if numbers else "see below"
        unit = (
            "groups"
            if grouped
            else "cells"
            if one.is_table
            else "bins"
            if one.form == "counts"
            else "numbers"
        )
        yield (name, f"{len(release if grouped else rows):,} {unit}", ends, _all_within(rows), "")  # type: ignore[arg-type]
        return
    counts = one.count if isinstance(one.count, tuple) else (one.count,) * len(rows)
    for index, (row, count) in enumerate(zip(rows, counts, strict=False)):
        text = row.printed()
        about = text.low if text.low == text.high else f"{text.low} to {text.high}"
        interval = "" if row.low is None else about
        group = ", ".join([*map(str, row.key), *row.path])
        first = name if index == 0 else ""
        yield (first, group, str(text.value), interval, "" if count is None else f"{count:,}")


def _sentence(text: str) -> str:
    """Return a note with a capital letter, unless it begins with a name, such as n."""
    return text if text[1:2] in (" ", "_") else f"{text[:1].upper()}{text[1:]}"


def _all_within(rows: list[Row]) -> str:
    """Return how far the ends of all intervals are from their numbers at most, such as "each ±28"."""
    far = [
        max(row.value - row.low, row.high - row.value) for row in rows if isinstance(row.low, (int, float))
    ]
    return f"each ±{rows[0].answer.printed(max(far), 1)}" if far and len(far) == len(rows) else ""


def _answer(answer: ReportedAnswer, in_ledger: bool) -> list[Markup]:
    """Return one answer: its picture, the same as a table, and what a reader must know of it."""
    card, release = answer.card, answer.release
    parts = [heading(answer.title, 3)]
    for title, one in answer.parts:
        if isinstance(release, JointRelease):
            parts.append(heading(title, 4))
        parts += _shown(one)
    if release is None:
        parts.append(paragraph(_plain(card["value"]), "answer"))
    if not card["private"]:
        parts.append(paragraph("NOT PRIVATE: drawn from a seed.", "failed"))
    notes = [] if release is None else [str(note) for note in card.get("notes", ())]
    if notes:
        parts.append(paragraph(". ".join(map(_sentence, notes)) + ".", "quiet"))
    if card["ledger"] is None and in_ledger:
        parts.append(
            paragraph("This answer carries no receipt: the budget below does not count it.", "failed")
        )
    return parts


def _shown(release: Release | GroupedRelease) -> list[Markup]:
    """Return an answer and its interval in words. Of more than 30 rows there is a table and no picture."""
    single = isinstance(release, Release) and not isinstance(release.value, tuple)
    if single and isinstance(release, Release):
        text = "no answer" if release.value is None else release.printed(release.value)
        parts = [paragraph(f"{release.what} = {text}", "answer"), *map(drawing, pictures_of(release))]
    else:
        columns = columns_of(release, Row.printed)
        count = max(map(len, columns.values()), default=0)
        numbers = table_of(columns, MOST_ROWS)
        drawn = pictures_of(release) if count <= DRAWN else []
        parts = [
            *map(drawing, drawn),
            folded("The same as a table", numbers, opened=False) if drawn else numbers,
        ]
    about = [release] if isinstance(release, Release) else list(release.each.values())
    sentences = list(filter(None, (one.interval_sentence() for one in about)))
    return [*parts, *(paragraph(f"{each[0].upper()}{each[1:]}.", "quiet") for each in sentences if single)]


def _promise(answers: list[ReportedAnswer], budget: BudgetPart, delta: Number | None) -> Iterator[Markup]:
    """Yield what is promised, once for everything, and what it rests on."""
    yield heading("What is promised", 2, "promise")
    total, swap = budget.spent, any(each.card["neighbors"] == "swap" for each in answers)
    if budget.ledger is not None:
        swap = budget.ledger.neighbors == "swap"
    if total is None:
        yield paragraph("What all answers tell together is not known to this page.")
    else:
        everything = (
            "everything that this ledger has paid for" if budget.ledger else "all answers of this page"
        )
        yield paragraph(
            f"Every answer was blurred on purpose. This is about {everything}, taken together, and whatever else a "
            "reader may know."
        )
        chance = Fraction(0) if delta is None else Fraction(str(delta))
        yield paragraph(how_much_it_tells(total, swap, chance or None), "strong")
        epsilon = _epsilon_of(total, chance)
        if epsilon is not None:
            rows = [(_in_100(before), _in_100(afterwards(before, epsilon))) for before in BELIEFS]
            yield table(("a guess believed before", "believed afterwards, at most"), rows, (False, True))
    protected = list(dict.fromkeys(each.protects for each in answers))
    promised = list(dict.fromkeys(text for each in answers for text in each.promises))
    if protected or promised:
        yield heading("What it rests on", 3)
        yield paragraph("No program can check these. Whoever publishes the page guarantees them.", "quiet")
        yield bullets([*(f"Protected: {each}." for each in protected), *promised])


def _epsilon_of(loss: Loss, delta: Fraction) -> Fraction | None:
    """Return the epsilon of a total loss, of zCDP at ``delta``; None if there is none."""
    if isinstance(loss, ZCDP):
        return loss.as_approx(delta).epsilon if delta else None
    return loss.epsilon


def _in_100(chance: Fraction) -> str:
    return f"{above(100 * chance)} in 100"


def _evaluation(answers: list[ReportedAnswer]) -> list[Markup]:
    """Return what an evaluation by NIST SP 800-226 asks for: facts that always hold, and blanks to fill in."""
    laws = list(dict.fromkeys(str(each.card["law"]) for each in answers))
    drawn = f" The answers above were drawn by {'; '.join(laws)}." if laws else ""
    return [
        heading("For an evaluation", 2, "evaluation"),
        paragraph("These headings are the blocks of the pyramid in NIST SP 800-226.", "quiet"),
        heading("Privacy parameters (ε, δ) and budget", 3),
        paragraph("They are in the sections above: what is promised, and the budget."),
        heading("Unit of privacy", 3),
        paragraph("It is in the section above: what the promise rests on."),
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


def _details(answers: list[ReportedAnswer]) -> list[Markup]:
    """Return all fields of all cards, folded, and who has made the page."""
    cards = [
        folded(
            each.title,
            Markup(paragraph(str(each.card["statement"])) + facts_table(_flat(each.card))),
            opened=False,
        )
        for each in answers
    ]
    made = f"Made by noisewise {__version__} on {now()[:10]}. No record was read for it. Words: {GLOSSARY}"
    return [
        *([heading("Technical details", 2, "cards"), section(cards, "cards")] if cards else []),
        paragraph(made, "quiet"),
    ]


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
