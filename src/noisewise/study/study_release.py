"""The release of a study: a card (a dictionary of facts) for each answer, tables, and the files that hold them."""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noisewise.dataset.answer_columns import AnswerColumns, table_of
from noisewise.kernel.losses import ApproxDP, Loss
from noisewise.ledger.entries import Entry
from noisewise.ledger.ledger import Ledger
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release, now
from noisewise.results.report import report
from noisewise.results.stored import from_json, to_json
from noisewise.study.binding import BoundQuestion, BoundStudy
from noisewise.study.journal import Journal
from noisewise.study.publishing import is_own, write_new
from noisewise.version import __version__

if TYPE_CHECKING:
    from noisewise.study.study import Study

FORMAT = 1
"""The version of release.json. It changes if the meaning of a field changes."""
RELEASE, REPORT = "release.json", "report.html"
STORED = "stored"
"""The key of the journal under which it holds the whole release, for the report."""
LOST = (
    "lost, as the run failed while it was drawn or written down, and a second draw would have to be paid for"
)


@dataclass(frozen=True, slots=True, repr=False)
class StudyRelease:
    """A release of a study, with the content of its file release.json.

    Attributes:
        folder: The folder with the files of the release.
        content: The content of release.json.
        kept: The number of answers that an earlier, interrupted run has drawn.

    If the draw of an answer was begun but the answer could not be written to disk, the answer is lost. A full disk is
    an example. ``content["lost"]`` has the names of lost answers.
    """

    folder: Path
    content: dict[str, Any]
    kept: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the answers."""
        return tuple(each["name"] for each in self.content["answers"])

    def __getitem__(self, name: str) -> dict[str, Any]:
        """Return the card of the answer ``name``: a dictionary of its value, its privacy loss and its receipt."""
        cards: dict[str, dict[str, Any]] = {each["name"]: each["card"] for each in self.content["answers"]}
        return cards[name]

    def __str__(self) -> str:
        lost = [f"{name}: {LOST}" for name in self.content.get("lost", ())]
        return "\n".join([*map(self._line, self.content["answers"]), *lost, f"written to {self.folder}"])

    __repr__ = __str__

    def _line(self, answer: dict[str, Any]) -> str:
        if answer["table"] is not None:
            return f"{answer['name']}: {answer['what']}, in {answer['name']}.csv"
        value = answer["card"]["value"]
        return f"{answer['name']}: {answer['what']} = {'no answer' if value is None else value}"


def tables_of(bound: BoundStudy) -> list[str]:
    """Return the names of the CSV files for all answers that are tables."""
    return [
        f"{each.asked.name}.csv"
        for each in bound.questions
        if each.asked.by or AnswerColumns.of(each.question) is not None
    ]


def record_of(bound: BoundQuestion, answer: Release | GroupedRelease) -> dict[str, Any]:
    """Return an answer as a dictionary for the journal. All but the stored release goes to release.json."""
    columns = AnswerColumns.of(bound.question)
    table = None
    if isinstance(answer, GroupedRelease):
        names, rows = table_of(answer, {bound.asked.name: columns})
        table = {"columns": names, "rows": rows}
        what = f"{answer.about.what} by {', '.join(answer.keys.names)}"
    else:
        what = answer.what
        if columns is not None:
            cells = zip(columns.names, columns.cells(answer.value), strict=True)
            table = {"columns": ["name", "value"], "rows": [list(each) for each in cells]}
    card = answer.card()
    return {
        "name": bound.asked.name,
        "question": bound.asked.question.name,
        "what": what,
        "card": card,
        "table": table,
        STORED: to_json(answer),
    }


def _released(answer: dict[str, Any]) -> Any:
    """Return the release in a line of the journal, or its card if an earlier version has written the line."""
    return (
        from_json(answer[STORED])
        if STORED in answer
        else dict(json.loads(json.dumps(answer["card"], default=str)))
    )


def _as_zcdp(loss: Loss) -> dict[str, Any] | None:
    """Return the same loss in zCDP. Return None if groups were searched for: such a loss has a delta, and no rho."""
    return None if isinstance(loss, ApproxDP) else loss.as_zcdp().to_dict()


def write(
    study: "Study", folder: Path, journal: Journal, payer: Ledger, receipt: Entry, loss: Loss
) -> dict[str, Any]:
    """Write the files of a release from the journal. release.json is written last: if it exists, the others do too."""
    assert journal.head is not None
    if is_own(folder, RELEASE, journal):
        return dict(json.loads((folder / RELEASE).read_text(encoding="utf-8")))
    kept = [journal.answers[each.name] for each in study.questions if each.name in journal.answers]
    answers = [{key: part for key, part in each.items() if key != STORED} for each in kept]
    lost = [each.name for each in study.questions if each.name not in journal.answers]
    content = {
        "release": FORMAT,
        "title": study.title,
        "hash": study.hash,
        "run": journal.head["run"],
        "when": now(),
        "noisewise": __version__,
        "study": study.to_toml(),
        "losses": {"stated": loss.to_dict(), "zcdp": _as_zcdp(loss)},
        "ledger": receipt.to_dict(),
        "chain_head": receipt.hash,
        "answers": answers,
        **({"lost": lost} if lost else {}),
    }
    text = json.dumps(content, default=str, indent=1)
    files = dict[str, str]()
    for each in answers:
        if each["table"] is not None:
            table = io.StringIO()
            rows = [each["table"]["columns"], *each["table"]["rows"]]
            csv.writer(table, lineterminator="\n").writerows(rows)
            files[f"{each['name']}.csv"] = table.getvalue()
    shown = {each["name"]: _released(each) for each in kept}
    files[REPORT] = report(shown, ledger=payer, title=study.title or Path(study.file).name).html
    files[RELEASE] = text + "\n"
    for name, written in files.items():
        if not is_own(folder, name, journal):
            write_new(folder, name, written, journal)
    return dict(json.loads(text))
