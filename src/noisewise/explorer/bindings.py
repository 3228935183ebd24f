"""Refuse files that may hold private data. A file that a ledger pays for is never opened.

A ledger does not know the path of the file that it pays for. So the rule is cautious. Two folders are searched: the
folder of the file, and the folder where the explorer was started. A file is refused if

1. it is a ledger itself;
2. a study names it as its data: a study that the explorer was given, or any study file in both folders;
3. a known ledger has the name of the file, with or without its ending. A ledger is known if the explorer was given it,
   if it is in one of both folders, or if it is in a database that the explorer was given;
4. a ledger without a name was given or is in the folder of the file, as such a ledger may pay for any file;
5. it has hard links, as these are other names of the same file;
6. one of both folders or a file in it cannot be read, a folder has too many files, or a ``.toml`` file is too long to
   be checked.

If the file is a symbolic link, the folder of the link and the folder of its target count. Names are compared without
capitals, and with one spelling of each letter of Unicode. A ledger that cannot be read counts as one without a name.
"""

import stat
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from glob import escape, glob
from itertools import islice
from os import path
from pathlib import Path
from unicodedata import normalize

from noisewise.dataset.document import LONGEST, parsed
from noisewise.errors import FileName, NoisewiseError, ParameterError, SchemaError
from noisewise.ledger.books import from_home, is_address, ledgers_in
from noisewise.ledger.books.sqlite_file import is_ledger
from noisewise.ledger.ledger import Ledger

MOST_FILES = 10_000
"""The most files of a folder that is searched."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """The ledgers, studies and the start folder by which private data is recognized."""

    ledgers: tuple[str, ...] = ()
    folder: Path = Path()
    studies: tuple[Path, ...] = ()

    @classmethod
    def of(cls, ledgers: Iterable[str], studies: Iterable[str] = ()) -> "Bindings":
        """Return the bindings of these ledgers and studies. Refuse a path without a ledger, as it protects nothing."""
        places = tuple(map(from_home, ledgers))
        for place in places:
            if not is_address(place) and not is_ledger(place):
                raise ParameterError(
                    "ledger", "must be a ledger that is there", got=FileName(place)
                ) from None
        return cls(places, studies=tuple(map(Path, studies)))

    def check(self, file: str) -> None:
        """Refuse a file that may hold private data."""
        real = Path(path.realpath(file))
        if is_ledger(str(real)):
            raise _refusal(file, "it is a ledger") from None
        if real.stat().st_nlink > 1:
            raise _refusal(
                file,
                "it has hard links, and a ledger may be bound to one of these",
                fix="explore a copy of it",
            ) from None
        own = [real.parent, Path(path.realpath(path.dirname(path.abspath(file))))]
        start = Path(path.realpath(self.folder))
        beside = [each for folder in dict.fromkeys([*own, start]) for each in _files(file, folder)]
        for study in (*self.studies, *beside):
            if _is_data_of(file, real, study):
                raise _refusal(file, f"the study {study.name} names it as its private data") from None
        names = {
            each for one in (real.name, path.basename(file)) for each in (one, Path(one).stem, _bare(one))
        }
        spelled = set(map(_spelled, names))
        given = {Path(path.realpath(place)) for place in self.ledgers if not is_address(place)}
        for ledger in sorted(given.union(each for each in beside if is_ledger(str(each)))):
            name = _name_of(ledger)
            if name is not None and _spelled(name) in spelled:
                raise _refusal(file, f"the ledger {ledger.name} is bound to data of this name") from None
            if name is None and (ledger in given or ledger.parent in own):
                raise _refusal(
                    file, f"the ledger {ledger.name} has no name, so it may be bound to any file"
                ) from None
        for place in filter(is_address, self.ledgers):
            if not {"", *spelled}.isdisjoint(map(_spelled, ledgers_in(place))):
                raise _refusal(
                    file, "a ledger of the database is bound to data of this name, or has no name"
                ) from None


def _refusal(
    file: str, why: str, fix: str = "explore a public file in another folder, or a shape"
) -> SchemaError:
    return SchemaError(
        "FILE",
        "must hold public data, as the explorer shows it without noise",
        got=FileName(file),
        why=why,
        fix=fix,
    )


def _files(file: str, folder: Path) -> list[Path]:
    """Return the files of a folder. Refuse ``file`` if they cannot all be read, or if there are too many."""
    try:
        found = sorted(islice(folder.iterdir(), MOST_FILES + 1))
        if len(found) <= MOST_FILES:
            return [each for each in found if _is_readable(each)]
    except OSError:
        pass
    raise _refusal(
        file,
        f"the folder {folder.name} cannot be looked through for ledgers and studies: it has more than {MOST_FILES:,} "
        "files, or it or a file in it cannot be read",
        fix="explore a copy in a folder of its own, and start the explorer there",
    ) from None


def _is_readable(each: Path) -> bool:
    """Whether a path is a file, and no folder or broken link. Raise OSError if the file cannot be read."""
    try:
        if not stat.S_ISREG(each.stat().st_mode):
            return False
    except FileNotFoundError:
        return False
    with each.open("rb"):
        return True


def _name_of(file: Path) -> str | None:
    try:
        with Ledger.open(file) as ledger:
            return ledger.name or None
    except NoisewiseError:
        return None


def _is_data_of(file: str, real: Path, study: Path) -> bool:
    """Whether the file ``study`` is a study that names this file as its data."""
    if study.stat().st_size > LONGEST:
        if study.suffix.lower() == ".toml":
            raise _refusal(file, f"{study.name} is too long to tell whether it is a study") from None
        return False
    try:
        named = parsed(study.read_text(encoding="utf-8"), study.name)["data"]["file"]
        place = path.join(escape(path.realpath(study.parent)), named)
        found = {
            path.realpath(each) for each in (path.join(study.parent, named), *glob(place, recursive=True))
        }
    except (ValueError, KeyError, TypeError, ParameterError):
        return False
    text = _spelled(str(real))
    return text in map(_spelled, found) or fnmatchcase(text, _spelled(path.normpath(place)))


def _spelled(name: str) -> str:
    """Return a name for comparisons: without capitals, and with one spelling of each letter."""
    return normalize("NFKC", normalize("NFKC", name).casefold())


def _bare(name: str) -> str:
    """Return a file's name without any ending: staff for staff.csv.gz."""
    return name.partition(".")[0] or name
