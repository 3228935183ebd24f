"""Breaks of the explorer: who may ask, which files are shown, and what the page promises."""

from tests.mutants.mutant import Mutant

SERVER = "tests/explorer/test_server.py"
REFUSED = SERVER + "::test_who_comes_by_another_way_is_refused"
BINDINGS = "tests/explorer/test_bindings.py"
EXPORTS = "tests/explorer/test_exports.py"

MUTANTS = [
    Mutant(
        "another file in the place of one that was judged is read",
        "explorer/data_files.py",
        "if same := _state(os.fstat(file.fileno())) == self.checked:",
        "if same := True:",
        "tests/explorer/test_data_files.py::test_another_file_in_the_place_of_one_that_was_judged_is_not_read",
    ),
    Mutant(
        "a ledger of a database is known by one spelling of its name",
        "explorer/bindings.py",
        "map(_spelled, ledgers_in(place))",
        "ledgers_in(place)",
        BINDINGS + "::test_a_ledger_of_a_database_is_known_by_its_name_however_it_is_spelled",
    ),
    Mutant(
        "a policy hides ledgers from the explorer",
        "ledger/books/postgres_book.py",
        "                connection.execute(HIDES_NOTHING)\n",
        "",
        "tests/ledger/books/test_postgres_failures.py::test_a_policy_that_hides_the_rows_of_others_lets_nobody_write",
    ),
    Mutant(
        "the name of a study's folder is a pattern",
        "explorer/bindings.py",
        "path.join(escape(path.realpath(study.parent)), named)",
        "path.join(path.realpath(study.parent), named)",
        "tests/explorer/test_bindings.py::test_a_folder_whose_name_looks_like_a_pattern_hides_no_study",
    ),
    Mutant(
        "the explorer answers by any name that is bound to its address",
        "explorer/server.py",
        'if headers.get("host") not in own:',
        "if False:",
        REFUSED,
    ),
    Mutant(
        "the explorer answers to the scripts of other pages",
        "explorer/server.py",
        'if "origin" in headers and',
        'if headers.get("origin") == "null" and',
        REFUSED,
    ),
    Mutant(
        "the explorer answers to what other pages embed",
        "explorer/server.py",
        'not in ("none", "same-origin"):',
        'not in ("none", "same-origin", "same-site", "cross-site"):',
        REFUSED,
    ),
    Mutant(
        "the beginning of the token is enough",
        "explorer/server.py",
        "hmac.compare_digest(given.encode(), self.token.encode())",
        "self.token.startswith(given)",
        REFUSED,
    ),
    Mutant(
        "the explorer can be reached from other computers",
        "explorer/server.py",
        "listener.bind((LOOPBACK, port))",
        'listener.bind(("", port))',
        SERVER + "::test_tokens_differ_and_the_socket_is_on_the_loopback",
    ),
    Mutant(
        "a ledger without a name is bound to no file",
        "explorer/bindings.py",
        "if name is None and (ledger in given or ledger.parent in own):",
        "if name is None and ledger in given:",
        BINDINGS + "::test_a_ledger_without_a_name_is_bound_to_its_folder",
    ),
    Mutant(
        "a ledger of the file's name is bound to no file",
        "explorer/bindings.py",
        "if name is not None and _spelled(name) in spelled:",
        "if name is not None and name in spelled:",
        BINDINGS + "::test_a_ledger_of_the_same_name_is_bound_to_the_file",
    ),
    Mutant(
        "a link hides which file it is",
        "explorer/bindings.py",
        "        real = Path(path.realpath(file))\n",
        "        real = Path(path.abspath(file))\n",
        BINDINGS + "::test_links_are_followed_and_a_ledger_is_no_data",
    ),
    Mutant(
        "a hard link hides which file it is",
        "explorer/bindings.py",
        "        if real.stat().st_nlink > 1:",
        "        if False:",
        BINDINGS + "::test_a_file_of_several_names_is_not_opened",
    ),
    Mutant(
        "ledgers beyond the first so many files of a folder are overlooked",
        "explorer/bindings.py",
        "        if len(found) <= MOST_FILES:\n",
        "        if found:\n",
        BINDINGS + "::test_a_folder_that_cannot_be_looked_through_is_refused",
    ),
    Mutant(
        "the data of a study is shown",
        "explorer/bindings.py",
        "            if _is_data_of(file, real, study):",
        "            if False:",
        BINDINGS + "::test_the_data_of_a_study_is_not_opened",
    ),
    Mutant(
        "a ledger without a name that was given is bound to no file elsewhere",
        "explorer/bindings.py",
        "(ledger in given or ledger.parent in own)",
        "ledger.parent in own",
        BINDINGS + "::test_a_ledger_without_a_name_that_was_given_may_pay_for_any_file",
    ),
    Mutant(
        "a file that cannot be read is no ledger",
        "explorer/bindings.py",
        '    with each.open("rb"):\n        return True\n',
        "    return True\n",
        BINDINGS + "::test_a_file_beside_it_that_cannot_be_read_may_be_a_ledger",
    ),
    Mutant(
        "the spelling of a letter hides a name",
        "explorer/bindings.py",
        'normalize("NFKC", normalize("NFKC", name).casefold())',
        "name.casefold()",
        BINDINGS + "::test_two_spellings_of_a_name_are_one",
    ),
    Mutant(
        "a study that is too long names no data",
        "explorer/bindings.py",
        'if study.suffix.lower() == ".toml":',
        "if False:",
        BINDINGS + "::test_a_study_that_is_too_long_is_none_and_hides_no_data",
    ),
    Mutant(
        "a link hides what the pattern of a study stands for",
        "explorer/bindings.py",
        "(path.join(study.parent, named), *glob(place, recursive=True))",
        "(path.join(study.parent, named),)",
        BINDINGS + "::test_a_pattern_of_a_study_may_lead_through_links",
    ),
    Mutant(
        "the command opens any file",
        "cli/explore.py",
        "PublicFile.of(name, bindings) for name",
        "PublicFile(name) for name",
        "tests/cli/test_explore.py::test_a_file_that_a_ledger_is_bound_to_is_refused",
    ),
    Mutant(
        "what the page copies forgets the contributions",
        "explorer/exports.py",
        'for key in ("contributions", "neighbors") if key in inputs.keywords',
        'for key in ("neighbors",) if key in inputs.keywords',
        EXPORTS + "::test_the_study_is_in_order_and_comes_back",
    ),
    Mutant(
        "a belief is rounded down",
        "explorer/risk.py",
        "math.ceil(percent * 10 - 1e-9)",
        "math.floor(percent * 10)",
        "tests/explorer/test_risk.py::test_bounds_are_rounded_up",
    ),
]
