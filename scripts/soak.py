"""A soak: clients spend from one ledger for minutes, while they are killed and what the ledger stands on fails.

    python scripts/soak.py --on sqlite --minutes 3 [--clients 4] [--folder DIR]
    python scripts/soak.py --on postgres --minutes 3

Clients are processes that debit as fast as they can; where a ledger has nothing left, all go on to the next. Meanwhile
clients are killed (SIGKILL) and replaced, others are frozen for a while, there is no room to write for a second (in a
small file system it is filled up; elsewhere no file may grow), and PostgreSQL is restarted, crashed and killed. At the
end every ledger must hold every entry that a client was given and none that was refused, each once, must add up to no
more than its budget, and must verify with all receipts. It needs Linux.
"""

import argparse
import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

from noisewise.errors import BudgetExceeded, LedgerError
from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.ledger.ledger import Ledger

ROOT = Path(__file__).resolve().parents[1]
BUDGET = PureDP(5)
PRICES = [Fraction(k, 1000) for k in (1, 2, 3)]
SMALL = 256 << 20
"""A file system with so many free bytes is filled up; of a larger one there is no end."""

EVERY = {"kill": 1.0, "freeze": 5.0, "no room": 20.0, "restart": 10.0}
"""Seconds between two events of a kind, on average."""


# A client: what it asks for and what it is given, a line each


def client(place: str, first: int, seed: int) -> None:
    """Spend until killed, from the ledger of number ``first`` and then from those after it."""
    draws, number, count = random.Random(seed), first, 0
    ledger: Ledger | None = None
    while True:
        count, memo = count + 1, f"{seed}-{count}"
        loss = draws.choice([PureDP, BoundedRange])(draws.choice(PRICES))
        try:
            ledger = ledger or open_ledger(place, number)
            _say("asks", number, memo)
            entry = ledger.debit(loss, neighbors="add_remove", contributions=1, memo=memo)
            _say("got", number, memo, entry.to_dict())
        except BudgetExceeded:
            _say("refused", number, memo, "nothing left")
            ledger, number = None, number + 1
        except LedgerError as error:
            _say("refused" if "may stand" not in str(error) else "doubt", number, memo, str(error))
            time.sleep(0.02)


def open_ledger(place: str, number: int) -> Ledger:
    name = f"soak-{number}"
    return Ledger.open(place if "://" in place else f"{place}/{name}.ledger", BUDGET, name=name)


def _say(*words: object) -> None:
    """One line, at once and whole: a pipe takes so much in one piece, whenever the process is killed."""
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


@dataclass
class Client:
    """A running client, and all lines that it has written."""

    process: subprocess.Popen[str]
    lines: list[str]
    reader: Thread | None = None

    @classmethod
    def start(cls, place: str, first: int, seed: int) -> "Client":
        command = [sys.executable, __file__, "client", place, str(first), str(seed)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines: list[str] = []
        reader = Thread(target=_read, args=(process.stdout, lines), daemon=True)
        reader.start()
        return cls(process, lines, reader)

    def kill(self) -> None:
        """Kill it, and read what it has written to the end."""
        self.process.kill()
        self.process.wait()
        if self.reader is not None:
            self.reader.join()


def _read(pipe: Any, lines: list[str]) -> None:
    with pipe:
        for line in pipe:
            lines.append(line)


# What happens meanwhile


@contextmanager
def no_room(folder: Path, processes: list[int], largest: int) -> Iterator[None]:
    """No room to write: the file system is full, or else no file of these processes may grow beyond a size."""
    if shutil.disk_usage(folder).free < SMALL:
        ballast = folder / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            for size in (1 << 20, 1 << 10, 1):
                with suppress(OSError):
                    while True:
                        file.write(bytes(size))
        yield
        ballast.unlink()
        return
    for limit in (largest, resource.RLIM_INFINITY):
        for process in processes:
            with suppress(OSError):
                resource.prlimit(process, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        if limit == largest:
            yield


@dataclass
class Soak:
    """Clients on one ledger after the other, and what was done to them."""

    place: str
    folder: Path
    clients: int
    draws: random.Random
    server: Any = None  # a tests.cluster.Cluster
    counts: Counter[str] = field(default_factory=Counter)
    running: list[Client] = field(default_factory=list)
    all: list[Client] = field(default_factory=list)

    def run(self, seconds: float, every: dict[str, float] = EVERY) -> None:
        acts: dict[str, Callable[[], None]] = {"kill": self.kill, "freeze": self.freeze, "no room": self.fill}
        if self.server is not None:
            acts["restart"] = self.restart
        self.running = [self._client() for _ in range(self.clients)]
        while self._waits():
            time.sleep(0.01)
        start = time.monotonic()
        due = {name: start + every[name] * self.draws.uniform(0.5, 1.5) for name in acts}
        while (now := time.monotonic()) < start + seconds:
            name = min(due, key=due.__getitem__)
            if due[name] > now:
                time.sleep(min(due[name] - now, start + seconds - now))
                continue
            acts[name]()
            due[name] = time.monotonic() + every[name] * self.draws.uniform(0.5, 1.5)
        for each in self.running:
            each.kill()

    def _waits(self) -> bool:
        """Whether clients are about to begin and none has paid yet, which takes seconds on a busy machine."""
        paid = any('"got"' in line for each in self.running for line in each.lines)
        return not paid and any(each.process.poll() is None for each in self.running)

    def kill(self) -> None:
        k = self.draws.randrange(self.clients)
        self.running[k].kill()
        self.running[k] = self._client()
        self.counts["clients killed"] += 1

    def freeze(self) -> None:
        process = self.draws.choice(self.running).process
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.5)
        process.send_signal(signal.SIGCONT)
        self.counts["clients frozen"] += 1

    def fill(self) -> None:
        largest = self.draws.choice([8192, 1 << 20])
        processes = [each.process.pid for each in self.running]
        if self.server is not None:
            processes = self.server.processes
        with no_room(self.folder, processes, largest):
            time.sleep(1)
        self.counts["times without room"] += 1
        if self.server is not None:
            time.sleep(0.5)
            if not self.server.alive:
                self.server.start()

    def restart(self) -> None:
        mode = self.draws.choice(["fast", "immediate", "kill"])
        self.server.stop(mode)
        self.server.start()
        self.counts[f"restarts of the server ({mode})"] += 1

    def _client(self) -> Client:
        made = Client.start(self.place, self._reached(), len(self.all))
        self.all.append(made)
        return made

    def _reached(self) -> int:
        """The latest ledger that any client has used."""
        return max((json.loads(each.lines[-1])[1] for each in self.all if each.lines), default=0)


# What must be true in the end


def check(soak: Soak) -> list[str]:
    """Everything that is wrong; and the figures, into the counts."""
    said: dict[int, dict[str, list[list]]] = {}
    for each in soak.all:
        for line in each.lines:
            kind, number, *rest = json.loads(line)
            said.setdefault(number, {}).setdefault(kind, []).append(rest)
    wrong = [f"no debit in {soak.place}"] if not any("got" in kinds for kinds in said.values()) else []
    for number, kinds in sorted(said.items()):
        wrong += [f"ledger {number}: {what}" for what in _judge(soak, open_ledger(soak.place, number), kinds)]
    soak.counts["ledgers"] = len(said)
    return wrong


def _judge(soak: Soak, ledger: Ledger, kinds: dict[str, list[list]]) -> Iterator[str]:
    given = dict(kinds.get("got", []))
    refused = {memo for memo, _ in kinds.get("refused", [])}
    asked = {memo for (memo,) in kinds.get("asks", [])}
    rows, entries = list(ledger._book.rows()), list(ledger.entries())
    memos = Counter(entry.memo for entry in entries)
    try:
        ledger.verify(*given.values())
    except LedgerError as error:
        yield f"does not verify: {error}"
    for before, row in zip([None, *rows], rows, strict=False):
        if sha256(row.body.encode()).hexdigest() != row.hash:
            yield f"row {row.number} is not what was sealed"
        if before and json.loads(row.body)["previous"] != before.hash:
            yield f"row {row.number} does not follow the one before"
    if lost := given.keys() - memos.keys():
        yield f"lost {sorted(lost)}"
    if twice := [memo for memo, times in memos.items() if times > 1]:
        yield f"twice {twice}"
    if stands := refused & memos.keys():
        yield f"refused and booked {sorted(stands)}"
    if foreign := memos.keys() - asked:
        yield f"asked by nobody {sorted(foreign)}"
    spent = sum((entry.loss.epsilon for entry in entries), Fraction(0))
    if spent != ledger.spent.epsilon or spent > BUDGET.epsilon:
        yield f"spent {spent}, says {ledger.spent}, of {BUDGET}"
    soak.counts["debits"] += len(entries)
    soak.counts["receipts in the hands of clients"] += len(given)
    soak.counts["refused, and not booked"] += len(refused)
    doubt = asked - given.keys() - refused
    soak.counts["cut short"] += len(doubt)
    soak.counts["cut short, and booked"] += len(doubt & memos.keys())


def soaked(
    on: str,
    seconds: float,
    clients: int = 4,
    folder: Path | None = None,
    seed: int | None = None,
    **every: float,
) -> tuple[Counter[str], list[str]]:
    """Run a soak: the figures, and everything that is wrong."""
    draws = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="nws-soak-", dir=folder) as name:
        if on == "sqlite":
            soak = Soak(name, Path(name), clients, draws)
            soak.run(seconds, EVERY | every)
            return soak.counts, check(soak)
        from tests.cluster import cluster

        with cluster(folder) as server:
            soak = Soak(server.url, server.data, clients, draws, server)
            soak.run(seconds, EVERY | every)
            return soak.counts, check(soak)


def main() -> None:
    if sys.argv[1:2] == ["client"]:
        place, first, seed = sys.argv[2:]
        client(place, int(first), int(seed))
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--on", choices=["sqlite", "postgres"], required=True)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--folder", type=Path, help="where the ledger is kept; by default a temporary folder")
    given = parser.parse_args()
    counts, wrong = soaked(given.on, 60 * given.minutes, given.clients, given.folder)
    print(f"{given.on}: {given.clients} clients, {given.minutes:g} minutes")
    for name, count in counts.items():
        print(f"{count:9,} {name}")
    print(f"{counts['debits'] / given.minutes / 60:9,.0f} debits per second")
    print("\n".join(wrong) or "nothing lost, nothing spent twice, every ledger verified")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))  # for tests.cluster
    main()
