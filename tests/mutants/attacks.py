"""Breaks that the attacks on the library as a whole must notice."""

from tests.mutants.mutant import Mutant

BLOWUPS = "tests/attacks/test_blowups.py::test_what_would_take_too_much_is_refused_before_the_debit"
CRASHES = "tests/attacks/test_crashes.py::test_a_crash_at_any_line_leaves_the_debit_and_nothing_else"

MUTANTS = [
    Mutant(
        "edges are listed before they are counted",
        "questions/composites/histogram.py",
        "        _check_count(length(bins))  # before they are listed",
        "        pass",
        f"{BLOWUPS}[an-array-of-edges]",
    ),
    Mutant(
        "a range beyond counting fails in the words of Python",
        "tables/columns/labels.py",
        "    except OverflowError:\n        return sys.maxsize",
        "    except ZeroDivisionError:\n        return sys.maxsize",
        f"{BLOWUPS}[keys-beyond-counting]",
    ),
    Mutant(
        "names of nodes have no limit",
        "tables/columns/edge_lists.py",
        "    if length(listed) > MOST_NAMES:",
        "    if False:",
        "tests/attacks/test_blowups.py::test_nodes_that_go_on_for_ever_are_refused",
    ),
    Mutant(
        "a key of a study has as many parts as it likes",
        "dataset/document.py",
        "    if deep := DEEP.search(text):",
        "    if deep := DEEP.search(text[:0]):",
        f"{BLOWUPS}[a-study-of-dots]",
    ),
    Mutant(
        "a crash while answering comes out as it is",
        "kernel/settle.py",
        "    except BaseException:  # a panic of a data frame engine is not an Exception\n        pass",
        "    except BaseException:\n        raise",
        f"{CRASHES}[median]",
    ),
    Mutant(
        "a number in a ledger may take all memory there is",
        "ledger/entries.py",
        "    if not WRITTEN.fullmatch(text):",
        "    if False:",
        "tests/ledger/test_entries.py::test_a_number_that_no_version_writes_is_an_edit[1_0]",
    ),
    Mutant(
        "a forged ledger fails in the words of Python",
        "ledger/entries.py",
        "    *(ArithmeticError, AttributeError, KeyError,",
        "    *(KeyError,",
        "tests/ledger/test_entries.py::test_a_loss_that_is_no_record_of_one_is_an_edit",
    ),
    Mutant(
        "progress tells of every pass, and so whether somebody is there",
        "tables/engines/dialect.py",
        "        return self._report if first else None",
        "        return self._report",
        "tests/attacks/test_table_outcomes.py::test_progress_does_not_tell_whether_somebody_is_there",
    ),
    Mutant(
        "progress tells of the first question alone",
        "tables/engines/dialect.py",
        "        self._of_thread.passed = False\n",
        "        pass\n",
        "tests/tables/engines/test_dialect.py::test_progress_is_that_of_the_first_pass_of_each_question",
    ),
    Mutant(
        "a question of another thread makes progress tell of a second pass",
        "tables/engines/dialect.py",
        "self._report, self._of_thread = report, threading.local()",
        "self._report, self._of_thread = report, type('Shared', (), {})()",
        "tests/tables/engines/test_dialect.py::test_progress_is_that_of_the_first_pass_whoever_else_asks",
    ),
    Mutant(
        "an end by a score is drawn as if records pulled half as much",
        "statistics/score_end.py",
        "return self.of.pull(neighbors, epsilon)",
        "return self.of.pull(neighbors, epsilon) / 2",
        "tests/attacks/test_score_ends.py::"
        "test_all_draws_together_lose_no_more_than_the_receipt_says[huber_mean-swap-False]",
    ),
    Mutant(
        "a note says how many records there really are",
        "questions/composites/quantile_interval.py",
        "chosen from {number} count of {count:,}",
        "chosen from {number} count of {self.end.data.size():,}",
        "tests/attacks/test_outcomes.py::test_the_outcome_is_the_same_for_all_data_of_a_type[median_interval]",
    ),
    Mutant(
        "an array is compared with a default as a number is",
        "questions/keywords.py",
        "    return isinstance(same, (bool, np.bool_)) and bool(same)",
        "    return bool(same)",
        "tests/attacks/test_outcomes.py::"
        "test_arrays_and_defaults_where_no_question_takes_them_are_judged_in_our_words",
    ),
    Mutant(
        "a keyword that only says its default is passed to a question that does not take it",
        "questions/question.py",
        "        return without_defaults(with_one_price(keywords), self.kind.signature)",
        "        return with_one_price(keywords)",
        "tests/attacks/test_outcomes.py::"
        "test_arrays_and_defaults_where_no_question_takes_them_are_judged_in_our_words",
    ),
]
