"""Run a study: check everything, pay for all questions at once, draw, and write the release.

An interrupted run can continue, because every run has the same order. It writes the head of the journal, it pays, and
then it draws the answers one by one. An answer is marked in the journal before its first random bit is read, and it is
in the journal before the next answer is drawn. The memo of the debit names the run, so a run that continues finds out
whether it has paid. It draws only answers without a mark. No existing file is replaced. docs/proofs/study.md proves
that the result is one release.
"""

import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noisewise.dataset.answer_columns import AnswerColumns
from noisewise.dataset.dataset import DatasetPayer
from noisewise.errors import BudgetExceeded, LedgerError, NoisewiseError, ParameterError
from noisewise.kernel.losses import Loss
from noisewise.kernel.numbers.arrays import Unsigned
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.sampling import SystemBits
from noisewise.kernel.settle import after_debit
from noisewise.ledger.amounts import Amount
from noisewise.ledger.entries import Entry
from noisewise.ledger.ledger import Ledger
from noisewise.results.release import now
from noisewise.study.binding import BoundStudy, check_total, located, opened
from noisewise.study.journal import JOURNAL, Journal
from noisewise.study.publishing import check_inputs, check_names, remove_parts
from noisewise.study.python_code import ledger_terms
from noisewise.study.study_release import RELEASE, REPORT, StudyRelease, record_of, tables_of, write

if TYPE_CHECKING:
    from noisewise.study.study import Study

FAILED = (
    "the study failed after it was paid for: what was drawn before is kept, and the debit stands; run it again to go "
    "on, which costs nothing; an answer whose draw was begun is lost"
)

SEARCHED = 4096
"""The number of groups of a search for which the journal reserves space. With more, a full disk loses the answer."""


class MarkedBits(SystemBits):
    """The system's random bits for one answer. ``mark`` is called before any of these bits are read."""

    __slots__ = ("_mark",)

    def __init__(self, mark: Callable[[], None]) -> None:
        self._mark = mark

    def words(self, count: int) -> Unsigned:
        self._mark()
        return super().words(count)


def run(
    study: "Study",
    *,
    out: str | os.PathLike[str] | None,
    again: bool,
    ledger: Ledger | None,
    progress: Callable[[str, float | None], None] | None,
) -> StudyRelease:
    """Run a study and return its release. Whatever can be refused is refused before the debit."""
    there = _there(study, ledger)
    budget = study.budget if there is None else there.budget
    bound = BoundStudy.of(study, opened(study, study.path(study.data["file"]), budget, progress))
    if there is None:
        check_total(study, bound)
    names = [*tables_of(bound), REPORT, RELEASE]
    folder = _folder(study, None if out is None else Path(out), again, names)
    check_inputs(folder, names, _inputs(study, ledger))
    with Journal(folder) as journal:
        try:
            if journal.head is None and there is not None and not again:
                for each in there.entries():
                    _check_entry(each, _memo(study))
            _check_whole(folder, journal, bound)
            check_names(folder, names, journal)
            journal.reserve(_bytes_needed(bound, journal))
            payer = _open(study, bound, ledger)
            entry = _begin(study, journal, payer, bound.together.loss, again)
        except NoisewiseError:
            if journal.head is None:
                journal.remove()
            raise
        receipt = _pay(study, journal, payer, bound, again) if entry is None else entry
        kept, people = len(journal.answers), bound.dataset.unit

        def answer_the_rest() -> dict[str, Any]:
            for each in bound.questions:
                if (name := each.asked.name) not in journal.drawn:
                    answer = each.answer(receipt, people, MarkedBits(partial(journal.mark, name)))
                    journal.add(name, partial(record_of, each, answer))
            return write(study, folder, journal, payer, receipt, bound.together.loss)

        content = after_debit(answer_the_rest, FAILED)
        remove_parts(folder, names, journal)
        journal.remove()
    return StudyRelease(folder, content, kept)


def _inputs(study: "Study", ledger: Ledger | None) -> list[tuple[str, str]]:
    """Return what each input is, and its path: the data, the sample, the study and the ledger."""
    given = [
        ("the data", study.data["file"]),
        ("the sample", study.data.get("sample")),
        ("the study", study.file),
    ]
    inputs = [(what, study.path(name)) for what, name in given if name is not None]
    place = study.ledger_path if ledger is None else ledger._book.full_place
    return inputs if place is None else [*inputs, ("the ledger", place)]


def _bytes_needed(bound: BoundStudy, journal: Journal) -> int:
    """Estimate from public facts how many bytes the journal will need at most."""
    size = 2**16
    for each in bound.questions:
        if each.asked.name not in journal.drawn:
            columns = AnswerColumns.of(each.question)
            numbers, groups, key = 1 if columns is None else len(columns.names), 1, 0
            if each.grouped is not None:
                parts = each.grouped.keys.columns
                groups, key = len(each.grouped), sum(max(map(_length, part), default=0) for part in parts)
            elif each.asked.search is not None:
                groups, key = SEARCHED, 64
            size += 2**15 + 16 * len(bound.together.memo) + groups * (320 * (numbers + 1) + 6 * key)
    return size


def _length(key: object) -> int:
    """Return the length of a key as JSON."""
    return len(json.dumps(key, default=str))


def ledger_of(study: "Study", ledger: Ledger | None, bind: Callable[[], BoundStudy]) -> Ledger:
    """Return the ledger that pays. If it does not exist, create it, after ``bind`` has refused wrong questions."""
    _there(study, ledger)
    return _open(study, bind(), ledger)


def _there(study: "Study", ledger: Ledger | None) -> Ledger | None:
    """Return the ledger that pays, or None if it does not exist yet. Nothing is created here."""
    if ledger is not None and study.ledger is not None:
        raise located(
            ParameterError("ledger", "must be left out where the study names one"),
            study.file,
            study.line("budget"),
        ) from None
    if ledger is not None:
        return ledger
    if (place := study.ledger_path) is None:
        raise located(
            ParameterError("a study", "must name the ledger that pays", fix='say ledger = "..." in [budget]'),
            study.file,
            study.line("budget"),
        ) from None
    try:
        if Path(place).exists():  # opening would leave an empty file behind
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
    """Return the ledger that pays. If it does not exist, create it."""
    if ledger is not None or study.ledger_path is None:
        assert ledger is not None, "a study without a ledger was refused"
        return ledger
    return Ledger.open(study.ledger_path, study.budget, **ledger_terms(study, bound.unit))


def _folder(study: "Study", out: Path | None, again: bool, names: list[str]) -> Path:
    """Return the folder to write to: the folder of an interrupted run, or one without any file of the release."""
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
    while any(os.path.lexists(folders[-1] / name) for name in (*names, JOURNAL)):
        folders.append(first.with_name(f"{first.name}-{len(folders) + 1}"))
    for folder in folders:
        if (folder / JOURNAL).exists():
            return folder
    for folder in folders:
        if not again and _released(folder) == study.hash:
            raise _second_run(f"its release is in {folder}") from None
    return folders[-1]


def _check_whole(folder: Path, journal: Journal, bound: BoundStudy) -> None:
    """Refuse a journal beside a finished release, if answers are missing in the journal.

    Those answers were released. They would be drawn a second time without being paid for.
    """
    lacking = [each.asked.name for each in bound.questions if each.asked.name not in journal.drawn]
    if lacking and (folder / RELEASE).exists():
        raise ParameterError(
            "the journal beside a release",
            "must hold every answer",
            got=f"none for {lacking[0]}",
            fix=f"remove {folder / JOURNAL}: the release is finished",
        ) from None


def _released(folder: Path) -> str | None:
    """Return the hash of the study whose release is in a folder, or None if the folder has no release."""
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
    """Return the ledger's entry that has paid for the run in the journal, or None if the run is not paid.

    If no run has begun, write the head of the journal.
    """
    if journal.head is None:
        run = SystemBits().words(1).tobytes().hex()
        head = {"study": study.hash, "run": run, "title": study.title, "begun": now(), "again": again}
        journal.begin(head)
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
    """Whether the amount ``paid`` is at least the amount ``due`` in each of epsilon, rho and delta. None has no end."""
    pairs = ((paid.epsilon, due.epsilon), (paid.rho, due.rho), (paid.delta, due.delta))
    return all(had is None or (needed is not None and had >= needed) for had, needed in pairs)


def _memo(study: "Study", run: str | None = None) -> str:
    """Return how the memo of a debit begins: with the hash of the study and, if given, the run."""
    return f"study {study.hash[:16]}, run " + ("" if run is None else f"{run}, ")


def _check_entry(entry: Entry, memo: str) -> None:
    """Raise an error if an entry of the ledger has paid for the study before."""
    if entry.memo.startswith(memo):
        raise _second_run(
            f"entry {entry.number} of {entry.place} paid for it on {entry.time[:10]}; a run that was interrupted goes "
            "on in its own folder"
        ) from None


def _pay(study: "Study", journal: Journal, payer: Ledger, bound: BoundStudy, again: bool) -> Entry:
    """Pay for all questions by one debit, and return its entry. If the debit is refused, remove the journal.

    Two runs may begin at once in two folders. So the debit itself checks that no other run has paid.
    """
    assert journal.head is not None, "the head is written before the debit"
    together, again = bound.together, again or bool(journal.head.get("again"))
    title, own = " ".join(study.title.split()) or study.file, _memo(study, journal.head["run"])

    def check(before: Entry) -> None:
        if before.memo.startswith(own):
            raise LedgerError(
                f"the ledger has an entry for the run in {journal.path} that it had not a moment ago: run it again "
                "to go on, and never go on with two copies of one journal"
            ) from None
        if not again:
            _check_entry(before, _memo(study))

    try:
        entry: Entry = DatasetPayer(payer, bound.unit, bound.dataset.name, bound.dataset.condition).debit(
            together.loss,
            neighbors=together.neighbors,
            contributions=min(each.payable.contributions for each in bound.questions),
            memo=f"{own}{title}: {together.memo}",
            check_entry=check,
        )
    except (BudgetExceeded, ParameterError):
        journal.remove()
        raise
    return entry
