"""Running a study: judge everything, pay for all questions at once, draw, and write the release.

The order is what makes a run resumable: the head of the journal, the debit, and then each answer, drawn and written
down before the next. The debit names the run, so a run that was interrupted finds out whether it has paid; it draws
what the journal lacks, and nothing else. Why that is one release: docs/proofs/study.md.
"""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noisewise.dataset.answer_columns import AnswerColumns, beside, rows_of
from noisewise.dataset.dataset import DatasetPayer
from noisewise.errors import BudgetExceeded, LedgerError, NoisewiseError, ParameterError
from noisewise.numbers.exact import describe
from noisewise.privacy import ApproxDP, Loss
from noisewise.privacy.amounts import Amount
from noisewise.privacy.entries import Entry
from noisewise.privacy.ledger import Ledger
from noisewise.questions.settle import after_debit
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release, now
from noisewise.results.report import report
from noisewise.sampling import SystemBits
from noisewise.study.binding import BoundQuestion, BoundStudy, judge_total, located, opened
from noisewise.study.journal import JOURNAL, Journal, write_whole
from noisewise.study.python_code import ledger_terms
from noisewise.version import __version__

if TYPE_CHECKING:
    from noisewise.study.study import Study

FORMAT = 1
"""The meaning of the fields of release.json; a changed meaning is a new number."""
RELEASE, REPORT = "release.json", "report.html"
FAILED = (
    "the study failed after it was paid for: what was drawn before is kept, and the debit stands; run it again to go "
    "on, which costs nothing"
)


@dataclass(frozen=True, slots=True, repr=False)
class StudyRelease:
    """What was released, as it stands in release.json.

    Attributes:
        folder: Where it was written.
        content: All of it, as JSON holds it.
        kept: How many answers an interrupted run had released before.
    """

    folder: Path
    content: dict[str, Any]
    kept: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the answers."""
        return tuple(each["name"] for each in self.content["answers"])

    def __getitem__(self, name: str) -> dict[str, Any]:
        """The card of an answer."""
        cards: dict[str, dict[str, Any]] = {each["name"]: each["card"] for each in self.content["answers"]}
        return cards[name]

    def __str__(self) -> str:
        return "\n".join([*map(self._line, self.content["answers"]), f"written to {self.folder}"])

    __repr__ = __str__

    def _line(self, answer: dict[str, Any]) -> str:
        if answer["table"] is not None:
            return f"{answer['name']}: {answer['what']}, in {answer['name']}.csv"
        value = answer["card"]["value"]
        return f"{answer['name']}: {answer['what']} = {'no answer' if value is None else value}"


def run(
    study: "Study",
    *,
    out: str | PathLike[str] | None,
    again: bool,
    ledger: Ledger | None,
    progress: Callable[[str, float | None], None] | None,
) -> StudyRelease:
    """All of it. Whatever can be refused is refused before the debit."""
    there = _there(study, ledger)
    budget = study.budget if there is None else there.budget
    bound = BoundStudy.of(study, opened(study, study.path(study.data["file"]), budget, progress))
    if there is None:
        judge_total(study, bound)
    folder = _folder(study, None if out is None else Path(fspath(out)), again)
    with Journal(folder) as journal:
        try:
            payer = _open(study, bound, ledger)
            _judge_whole(folder, journal, bound)
            entry = _begin(study, journal, payer, bound.together.loss, again)
        except NoisewiseError:
            if journal.head is None:
                journal.remove()
            raise
        receipt = _pay(study, journal, payer, bound) if entry is None else entry
        kept, people = len(journal.answers), bound.dataset.unit

        def answer_the_rest() -> dict[str, Any]:
            for each in bound.questions:
                if each.asked.name not in journal.answers:
                    journal.add(_record(each, each.answer(receipt, people)))
            content = _write(study, folder, journal, receipt, bound.together.loss)
            cards = [each["card"] for each in content["answers"]]
            page = report(cards, ledger=payer, title=study.title or study.file)
            write_whole(folder / REPORT, page.html)
            return content

        content = after_debit(answer_the_rest, FAILED)
        journal.remove()
    return StudyRelease(folder, content, kept)


def ledger_of(study: "Study", ledger: Ledger | None, bind: Callable[[], BoundStudy]) -> Ledger:
    """The ledger that pays, created where there is none; ``bind`` refuses before that what cannot be asked."""
    _there(study, ledger)
    return _open(study, bind(), ledger)


def _there(study: "Study", ledger: Ledger | None) -> Ledger | None:
    """The ledger that pays, where it was created before; nothing is created here."""
    if ledger is not None and study.ledger is not None:
        raise located(
            ParameterError("ledger", "must be left out where the study names one"),
            study.file,
            study.line("budget"),
        ) from None
    if ledger is not None:
        return ledger
    if study.ledger is None:
        raise located(
            ParameterError("a study", "must name the ledger that pays", fix='say ledger = "..." in [budget]'),
            study.file,
            study.line("budget"),
        ) from None
    try:
        if Path(place := study.path(study.ledger)).exists():  # opening would leave an empty file behind
            return Ledger.open(place)
    except ParameterError as error:
        if error.kind != "no ledger":
            raise
    if study.budget is None:
        raise located(
            ParameterError(
                "the budget",
                f"must be said to create a ledger, and there is none at {study.ledger}",
                fix="say epsilon, epsilon and delta, or rho in [budget]",
            ),
            study.file,
            study.line("budget"),
        ) from None
    return None


def _open(study: "Study", bound: BoundStudy, ledger: Ledger | None) -> Ledger:
    """The ledger that pays, created where there is none."""
    if ledger is not None or study.ledger is None:
        assert ledger is not None, "a study without a ledger was refused"
        return ledger
    return Ledger.open(study.path(study.ledger), study.budget, **ledger_terms(study, bound.unit))


def _folder(study: "Study", out: Path | None, again: bool) -> Path:
    """Where to write: the folder of an interrupted run, else one that holds no release yet."""
    if out is not None:
        if (out / RELEASE).exists() and not (out / JOURNAL).exists():
            raise ParameterError(
                "out",
                "must be a folder without a release",
                got=describe(str(out)),
                why="none is written over",
            ) from None
        return out
    first = study.folder / f"{Path(study.file).stem}.release"
    folders = [first]
    while (folders[-1] / RELEASE).exists() or (folders[-1] / JOURNAL).exists():
        folders.append(first.with_name(f"{first.name}-{len(folders) + 1}"))
    for folder in folders:
        if (folder / JOURNAL).exists():
            return folder
        if not again and _released(folder) == study.hash:
            raise _second_run(f"its release is in {folder}") from None
    return folders[-1]


def _judge_whole(folder: Path, journal: Journal, bound: BoundStudy) -> None:
    """Refuse a journal that lacks what was released before: it would be drawn a second time, unpaid."""
    lacking = [each.asked.name for each in bound.questions if each.asked.name not in journal.answers]
    if lacking and (folder / RELEASE).exists():
        raise ParameterError(
            "the journal beside a release",
            "must hold every answer",
            got=f"none for {lacking[0]}",
            fix=f"remove {folder / JOURNAL}: the release is finished",
        ) from None


def _released(folder: Path) -> str | None:
    """The study whose release is in a folder."""
    try:
        content = json.loads((folder / RELEASE).read_text(encoding="utf-8"))
        return str(content["hash"])
    except (OSError, KeyError, TypeError, ValueError):
        return None


def _second_run(why: str) -> ParameterError:
    return ParameterError(
        "study",
        "must not be run twice",
        why=why,
        fix="again=True (--again) pays for it anew and writes a second release",
        kind="second run",
    )


def _begin(study: "Study", journal: Journal, payer: Ledger, loss: Loss, again: bool) -> Entry | None:
    """The entry that has paid for the run in the journal; None, and a head in the journal, where none has."""
    if journal.head is None:
        before = [each for each in payer.entries() if each.memo.startswith(_memo(study))]
        if before and not again:
            last = before[-1]
            raise _second_run(
                f"entry {last.number} of {last.place} paid for it on {last.time[:10]}; a run that was interrupted goes "
                "on in its own folder"
            ) from None
        run = SystemBits().words(1).tobytes().hex()
        journal.begin({"study": study.hash, "run": run, "title": study.title, "begun": now()})
        return None
    if journal.head.get("study") != study.hash:
        raise ParameterError(
            "study",
            "must be the one whose run was interrupted here",
            got=f"another than {journal.path} says",
            fix="run that one to its end, or say another folder",
        ) from None
    payer.verify()
    memo = _memo(study, journal.head["run"])
    entry = next((each for each in payer.entries() if each.memo.startswith(memo)), None)
    if entry is None and journal.answers:
        raise LedgerError(
            f"the ledger has no entry for the answers in {journal.path}: it is not the one that paid for them"
        ) from None
    if entry is not None and not _covers(entry.cost, Amount.of(loss)):
        raise ParameterError(
            "study",
            "must cost no more than was paid when its run began",
            why="another version of noisewise began it",
            fix="go on with that version",
        ) from None
    return entry


def _covers(paid: Amount, due: Amount) -> bool:
    """Whether what was paid is enough in each currency."""
    pairs = ((paid.epsilon, due.epsilon), (paid.rho, due.rho), (paid.delta, due.delta))
    return all(had is not None and (needed is None or had >= needed) for had, needed in pairs)


def _memo(study: "Study", run: str | None = None) -> str:
    """How the memo of a debit begins: which study, and which run of it."""
    return f"study {study.hash[:16]}, run " + ("" if run is None else f"{run}, ")


def _pay(study: "Study", journal: Journal, payer: Ledger, bound: BoundStudy) -> Entry:
    """One debit for all questions; where it is refused, nothing is left behind."""
    assert journal.head is not None, "the head is written before the debit"
    together = bound.together
    title = " ".join(study.title.split()) or study.file
    try:
        entry: Entry = DatasetPayer(payer, bound.unit, bound.dataset.name, bound.dataset.condition).debit(
            together.loss,
            neighbors=together.neighbors,
            contributions=min(each.payable.contributions for each in bound.questions),
            memo=f"{_memo(study, journal.head['run'])}{title}: {together.memo}",
        )
    except (BudgetExceeded, ParameterError):
        journal.remove()
        raise
    return entry


def _record(bound: BoundQuestion, answer: Release | GroupedRelease) -> dict[str, Any]:
    """An answer as the journal and the release keep it."""
    columns = AnswerColumns.of(bound.asked.question)
    table = None
    if isinstance(answer, GroupedRelease):
        names = (
            [bound.asked.name]
            if columns is None
            else [f"{bound.asked.name}_{each}" for each in columns.names]
        )
        table = {
            "columns": [*answer.keys.names, *names, *beside(answer, columns)],
            "rows": rows_of(answer, columns),
        }
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
    }


def _as_zcdp(loss: Loss) -> dict[str, Any] | None:
    """The same in zCDP; None where groups were searched for, as no rho covers a delta."""
    return None if isinstance(loss, ApproxDP) else loss.as_zcdp().to_dict()


def _write(study: "Study", folder: Path, journal: Journal, receipt: Entry, loss: Loss) -> dict[str, Any]:
    """The files of a release, of what stands in the journal; release.json last, as it says that all are there."""
    assert journal.head is not None
    answers = [journal.answers[each.name] for each in study.questions]
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
    }
    text = json.dumps(content, default=str, indent=1)
    for each in answers:
        if each["table"] is not None:
            table = io.StringIO()
            rows = [each["table"]["columns"], *each["table"]["rows"]]
            csv.writer(table, lineterminator="\n").writerows(rows)
            write_whole(folder / f"{each['name']}.csv", table.getvalue())
    write_whole(folder / RELEASE, text + "\n")
    return dict(json.loads(text))
