"""What Spark keeps for a question is let go when the question ends, and is never needed for an answer."""

from threading import Thread
from types import SimpleNamespace

import pytest

from noisewise.tables.engines import spark
from noisewise.tables.engines.spark import SparkDialect
from noisewise.tables.engines.spark_kept import MERGES, KeptFrames


class Settings(dict):
    """Those of a session."""

    def set(self, name, value):
        self[name] = value

    def unset(self, name):
        del self[name]


class Native:
    """A frame that notes what becomes of it; one that fails can be neither kept nor let go."""

    def __init__(self, settings=(), *, fails=False):
        self.sparkSession = SimpleNamespace(conf=Settings(settings))
        self.fails, self.kept, self.merged = fails, False, None

    def persist(self):
        self.kept, self.merged = True, self.sparkSession.conf.get(MERGES)
        self._fail()

    def unpersist(self):
        self.kept = False
        self._fail()

    def select(self, every):
        return ("anew", every)

    def _fail(self):
        if self.fails:
            raise RuntimeError("not supported here")


def test_a_frame_is_kept_until_the_question_ends():
    kept, first, second = KeptFrames(), Native(), Native()
    with kept.during_question():
        kept.keep(first)
        with kept.during_question():
            kept.keep(second)
        assert first.kept and second.kept
    assert not first.kept and not second.kept


def test_a_question_that_fails_leaves_nothing_behind():
    kept, native = KeptFrames(), Native()
    with pytest.raises(KeyboardInterrupt), kept.during_question():
        kept.keep(native)
        raise KeyboardInterrupt
    assert not native.kept


def test_nothing_is_kept_outside_of_a_question():
    kept, native = KeptFrames(), Native()
    kept.keep(native)
    with kept.during_question():
        asked_by_another = Thread(target=kept.keep, args=(native,))
        asked_by_another.start()
        asked_by_another.join()
    assert native.merged is None


@pytest.mark.parametrize("before", [{}, {MERGES: "false"}])
@pytest.mark.parametrize("fails", [False, True])
def test_small_partitions_are_merged_and_the_session_is_as_before(before, fails):
    kept, native = KeptFrames(), Native(before, fails=fails)
    with kept.during_question():
        kept.keep(native)
        assert native.merged == "true"
        assert native.sparkSession.conf == before


def test_a_session_that_keeps_nothing_fails_nothing():
    kept = KeptFrames()
    with kept.during_question():
        kept.keep(SimpleNamespace())
        kept.keep(Native(fails=True))


def test_a_query_that_fails_with_kept_frames_is_run_without_them(monkeypatch):
    monkeypatch.setattr(spark, "as_frame", lambda native: native)
    dialect, native, runs = SparkDialect(), Native(), []
    frame = SimpleNamespace(to_native=lambda: native)

    def run(frame):
        runs.append((frame, native.kept))
        if native.kept:
            raise RuntimeError("no space left on the disk")
        return "answer"

    with dialect.snapshot(frame):
        dialect.kept(frame)
        assert dialect._with_or_without_kept(run, frame) == "answer"
    assert runs == [(frame, True), (("anew", "*"), False)]


def test_a_query_that_fails_without_kept_frames_is_run_once():
    dialect, runs = SparkDialect(), []

    def run(frame):
        runs.append(frame)
        raise RuntimeError("a record")

    with pytest.raises(RuntimeError), dialect.snapshot(None):
        dialect._with_or_without_kept(run, None)
    assert runs == [None]
