"""Breaks of the explorer: who may ask, which files are shown, and what the page promises."""

from tests.mutants.mutant import Mutant

SERVER = "tests/explorer/test_server.py"
REFUSED = SERVER + "::test_who_comes_by_another_way_is_refused"
BINDINGS = "tests/explorer/test_bindings.py"
EXPORTS = "tests/explorer/test_exports.py"

MUTANTS = [
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
        "if each.name is None and each.file.parent == real.parent:",
        "if False:",
        BINDINGS + "::test_a_ledger_without_a_name_is_bound_to_its_folder",
    ),
    Mutant(
        "a ledger of the file's name is bound to no file",
        "explorer/bindings.py",
        "each.name is not None and each.name.casefold() in",
        "each.name is not None and each.name in",
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
        "        if len(found) > MOST_FILES:\n            return None\n",
        "",
        BINDINGS + "::test_a_folder_that_cannot_be_looked_through_is_refused",
    ),
    Mutant(
        "the data of a study is shown",
        "explorer/bindings.py",
        "            if _is_data_of(real, study):",
        "            if False:",
        BINDINGS + "::test_the_data_of_a_study_is_not_opened",
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
