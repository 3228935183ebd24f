"""Breaks of studies: what is paid, what is drawn, and what tells one study from another."""

from tests.mutants.mutant import Mutant

RUNNING = "tests/study/test_running.py"
KILLED = RUNNING + "::test_a_run_that_was_killed_goes_on_and_pays_nothing_twice"
JOURNAL = "tests/study/test_journal.py"
DOCUMENT = "tests/study/test_document.py"

MUTANTS = [
    Mutant(
        "a study is drawn before its debit",
        "study/running.py",
        "        receipt = _pay(study, journal, payer, bound) if entry is None else entry\n",
        "        bound.questions[0].answer(None, None)\n"
        "        receipt = _pay(study, journal, payer, bound) if entry is None else entry\n",
        RUNNING + "::test_a_run_pays_once_and_writes_everything",
    ),
    Mutant(
        "a study that goes on pays again",
        "study/running.py",
        "_pay(study, journal, payer, bound) if entry is None else entry",
        "_pay(study, journal, payer, bound)",
        KILLED,
    ),
    Mutant(
        "an answer in the journal is drawn again",
        "study/running.py",
        "if each.asked.name not in journal.answers:",
        "if each.asked.name:",
        KILLED,
    ),
    Mutant(
        "an answer of a study is kept only in memory",
        "study/journal.py",
        '        self._append(answer)\n        self.answers[answer["name"]] = answer',
        '        self.answers[answer["name"]] = answer',
        KILLED,
    ),
    Mutant(
        "a study that was run is run again unasked",
        "study/running.py",
        "        if before and not again:",
        "        if before and False:",
        RUNNING + "::test_a_second_run_is_refused_unless_it_is_paid_again",
    ),
    Mutant(
        "the release of another study is enough to refuse one",
        "study/running.py",
        "if not again and _released(folder) == study.hash:",
        "if not again and _released(folder):",
        RUNNING + "::test_another_study_of_the_same_file_is_another_run",
    ),
    Mutant(
        "answers are believed whose debit is gone",
        "study/running.py",
        "    if entry is None and journal.answers:",
        "    if False:",
        RUNNING + "::test_a_journal_whose_debit_is_gone_is_refused",
    ),
    Mutant(
        "a run goes on for more than was paid",
        "study/running.py",
        "(needed is None or had >= needed)",
        "(needed is None or had <= needed)",
        RUNNING + "::test_a_run_that_would_cost_more_than_was_paid_does_not_go_on",
    ),
    Mutant(
        "one study goes on with the journal of another",
        "study/running.py",
        'if journal.head.get("study") != study.hash:',
        "if False:",
        RUNNING + "::test_the_journal_of_another_study_is_left_alone",
    ),
    Mutant(
        "a torn line of a journal is left standing",
        "study/journal.py",
        "        os.ftruncate(self._file, size)\n",
        "",
        JOURNAL + "::test_a_torn_line_is_erased",
    ),
    Mutant(
        "two processes have one journal",
        "study/journal.py",
        "locked, opened = _locked(file), ",
        "locked, opened = True, ",
        JOURNAL + "::test_one_process_has_the_journal",
    ),
    Mutant(
        "a journal that was removed before it was locked is gone on with",
        "study/journal.py",
        "        if locked and _stands_at(path, opened):",
        "        if locked:",
        JOURNAL + "::test_a_journal_that_was_replaced_before_it_was_locked_is_another_run",
    ),
    Mutant(
        "a journal is read by its name rather than as it was locked",
        "study/journal.py",
        'open(self._file, "rb", closefd=False)',
        'open(self.path, "rb")',
        JOURNAL + "::test_a_journal_is_read_as_it_was_locked",
    ),
    Mutant(
        "a journal may be another name of the data",
        "study/journal.py",
        "opened.st_nlink > 1:",
        "False:",
        JOURNAL + "::test_a_journal_is_no_other_name_of_another_file",
    ),
    Mutant(
        "a line of a journal need not reach the disk",
        "study/journal.py",
        "            data = data[os.write(self._file, data) :]\n        os.fsync(self._file)",
        "            data = data[os.write(self._file, data) :]",
        JOURNAL + "::test_each_line_is_on_disk_before_the_next_step",
    ),
    Mutant(
        "the hash of a study leaves a key out",
        "study/document.py",
        "for key, each in value.items()}\n        case list() | tuple():\n            return [_told_apart",
        'for key, each in value.items() if key != "epsilon"}\n'
        "        case list() | tuple():\n            return [_told_apart",
        DOCUMENT + "::test_whatever_a_study_says_is_part_of_its_fingerprint",
    ),
    Mutant(
        "a whole number and a decimal have one hash",
        "study/document.py",
        'return {"decimal": str(Fraction(value))}',
        "return int(value) if value == int(value) else str(value)",
        DOCUMENT + "::test_values_of_other_types_have_other_fingerprints",
    ),
    Mutant(
        "a study file may hold the password of a database",
        "study/reading.py",
        'if "ledger" in given and is_address(given["ledger"]):',
        "if False:",
        "tests/study/test_reading.py::test_the_address_of_a_database_may_hold_a_password_and_is_not_echoed",
    ),
    Mutant(
        "questions of a study may protect others",
        "study/binding.py",
        "        if protects(each.payable) != protects(first.payable):",
        "        if False:",
        "tests/study/test_binding.py::test_questions_that_protect_others_are_refused",
    ),
    Mutant(
        "a search for groups in a study is not paid",
        "study/searching.py",
        "return compose(self.selection.loss, self.inner.loss).as_approx(self.selection.delta)",
        "return self.inner.loss",
        "tests/study/test_searching.py::test_a_search_is_paid_with_its_question_by_one_debit",
    ),
    Mutant(
        "a search that finds many groups fails after the debit",
        "study/searching.py",
        "    _judge_room(inner)\n",
        "",
        "tests/study/test_searching.py::test_what_is_wrong_is_refused_before_anything_is_paid",
    ),
    Mutant(
        "a search that finds nothing fails after the debit",
        "study/searching.py",
        "    if len(grouped):\n",
        "    if True:\n",
        "tests/study/test_searching.py::test_where_no_group_is_found_the_table_has_no_rows",
    ),
    Mutant(
        "a journal restored beside its release draws anew",
        "study/running.py",
        "if lacking and (folder / RELEASE).exists():",
        "if False:",
        "tests/study/test_running.py::test_a_journal_that_was_restored_beside_its_release_draws_nothing",
    ),
    Mutant(
        "half a character is passed on in a study",
        "study/document.py",
        "    if half := SURROGATE.search(text):",
        "    if half := None:",
        DOCUMENT + "::test_half_a_character_is_no_unicode",
    ),
]
