"""Which files hold private data, as far as anybody can tell: those that a ledger is bound to are never opened.

A ledger does not know the file it pays for, so the rule is a cautious one. A file is refused if

1. it is a ledger itself;
2. a study file in its folder, or in the folder that the explorer was started in, names it as its data;
3. a ledger that is known has the file's name, with or without its ending. Known are those that the explorer was given
   and those in both folders; a database is asked for these names;
4. a ledger without a name lies in the file's folder, since it may pay for any file there;
5. it has hard links, which are other names of the same file, or its folder cannot be looked through: then nobody can
   tell.

Symbolic links are followed. A ledger that cannot be read counts as one without a name.
"""

import tomllib
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import islice
from os import path
from pathlib import Path

from noisewise.books import is_address, open_book
from noisewise.books.connection import is_ledger
from noisewise.errors import FileName, NoisewiseError, ParameterError, SchemaError
from noisewise.privacy.ledger import Ledger

MOST_FILES = 10_000
"""How many files a folder may have to be looked through."""
LONGEST_STUDY = 1_000_000
"""The most bytes of a study file."""


@dataclass(frozen=True, slots=True)
class KnownLedger:
    """A ledger's file, and the name of the data that it pays for, where it has one."""

    file: Path
    name: str | None


@dataclass(frozen=True, slots=True)
class Bindings:
    """What is known about private data: the places of ledgers, and the folder that the explorer was started in."""

    ledgers: tuple[str, ...] = ()
    folder: Path = Path()

    @classmethod
    def of(cls, ledgers: Iterable[str]) -> "Bindings":
        """What these ledgers are bound to; a place that holds none is refused, as it would protect nothing."""
        places = tuple(ledgers)
        for place in places:
            if not is_address(place) and not is_ledger(place):
                raise ParameterError(
                    "ledger", "must be a ledger that is there", got=FileName(place)
                ) from None
        return cls(places)

    def judge(self, file: str) -> None:
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
        folders = list(dict.fromkeys([real.parent, Path(path.realpath(self.folder))]))
        if any(_files(folder) is None for folder in folders):
            raise _refusal(
                file,
                "its folder, or the one the explorer was started in, cannot be looked through for ledgers: "
                f"it has more than {MOST_FILES:,} files, or may not be read",
                fix="explore a copy of it in another folder",
            ) from None
        for study in (each for folder in folders for each in _files(folder, ".toml") or ()):
            if _is_data_of(real, study):
                raise _refusal(file, f"the study {study.name} names it as its private data") from None
        names = {real.name, real.stem, path.basename(file), Path(file).stem, _bare(real.name)}
        for each in self._known(folders):
            if each.name is not None and each.name.casefold() in {name.casefold() for name in names}:
                raise _refusal(file, f"the ledger {each.file.name} is bound to data of this name") from None
            if each.name is None and each.file.parent == real.parent:
                raise _refusal(
                    file,
                    f"the ledger {each.file.name} in its folder has no name, so it may be bound to any file there",
                ) from None
        for place in filter(is_address, self.ledgers):
            if any(_is_in_database(place, name) for name in sorted(names)):
                raise _refusal(file, "a ledger of the database is bound to data of this name") from None

    def _known(self, folders: Iterable[Path]) -> Iterable[KnownLedger]:
        given = (Path(path.realpath(place)) for place in self.ledgers if not is_address(place))
        beside = (each for folder in folders for each in _files(folder) or () if is_ledger(str(each)))
        for file in dict.fromkeys([*given, *beside]):
            yield KnownLedger(file, _name_of(file))


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


def _files(folder: Path, ending: str = "") -> list[Path] | None:
    """The files of a folder whose names end so; None where there are too many files, or the folder cannot be read."""
    try:
        found = list(islice(folder.iterdir(), MOST_FILES + 1))
        if len(found) > MOST_FILES:
            return None
        return [each for each in sorted(found) if each.name.lower().endswith(ending) and each.is_file()]
    except OSError:
        return None


def _name_of(file: Path) -> str | None:
    try:
        with Ledger.open(file) as ledger:
            return ledger.name
    except NoisewiseError:
        return None


def _is_in_database(place: str, name: str) -> bool:
    with closing(open_book(place, name)) as book:
        return book.last() is not None


def _is_data_of(real: Path, study: Path) -> bool:
    """Whether a study file names this file as its data; text that is no study names none."""
    try:
        if study.stat().st_size > LONGEST_STUDY:
            return False
        document = tomllib.loads(study.read_text(encoding="utf-8"))
        named = path.join(path.realpath(study.parent), document["data"]["file"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False
    return path.realpath(named) == str(real) or fnmatch(str(real), path.normpath(named))


def _bare(name: str) -> str:
    """A file's name without any ending: staff of staff.csv.gz."""
    return name.partition(".")[0] or name
