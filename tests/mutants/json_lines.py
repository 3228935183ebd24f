"""Breaks by which one line of JSON decides what may be asked, whether it is answered, or what others have."""

from tests.mutants.mutant import Mutant

FILE, LINES = "tables/files/json_lines.py", "tests/tables/files/test_json_lines.py -k"

MUTANTS = [
    Mutant(
        "the columns of JSON lines are those of somebody's record",
        FILE,
        "    names = None\n",
        '    names = ("y",)\n',
        f"{LINES} one_person",
    ),
    Mutant(
        "a line that is no JSON fails the release",
        FILE,
        "TRY(json_extract_string(line, '{value}'))",
        "json_extract_string(line, '{value}')",
        f"{LINES} one_line",
    ),
    Mutant(
        "a line that cannot be read fails the release",
        FILE,
        "        ignore_errors=True,\n",
        "",
        f"{LINES} one_line",
    ),
    Mutant(
        "a quote in one line takes the next ones with it",
        FILE,
        '        quotechar="",\n',
        "        quotechar='\"',\n",
        f"{LINES} one_line",
    ),
    Mutant(
        "a long line is read where it happens to fit",
        FILE,
        "strlen(line) < {LONGEST_LINE}",
        "strlen(line) > 0",
        f"{LINES} one_line",
    ),
    Mutant(
        "a list is read as an object with numbers for keys",
        FILE,
        "CASE WHEN regexp_matches(line, '{OPENS}') THEN line END",
        "line",
        f"{LINES} any_text",
    ),
    Mutant(
        "the name of a file decides whether a release fails",
        FILE,
        '        compression="none",\n',
        "",
        f"{LINES} whatever_the_file",
    ),
    Mutant(
        "a key is taken for a way into nested objects",
        FILE,
        '.replace("~", "~0").replace("/", "~1")',
        "",
        f"{LINES} any_text",
    ),
    Mutant(
        "two columns are taken for one",
        FILE,
        "if len({name.lower() for name in asked}) < len(asked):",
        "if False:",
        f"{LINES} capitals",
    ),
    Mutant(
        "files that change between two passes go unnoticed",
        FILE,
        "text=True, clocks=self._clocks, **self._how",
        "text=True, clocks=self._clocks",
        f"{LINES} change_is_seen",
    ),
    Mutant(
        "an unknown name is an error where none are declared",
        "tables/names.py",
        "    if names is None:\n        return (\n",
        "    if names is None:\n        return False and (\n",
        f"{LINES} one_person",
    ),
    Mutant(
        "a name that DuckDB cannot write fails the release",
        "tables/names.py",
        'isinstance(given, str) and given != ""',
        "isinstance(given, str)",
        "tests/tables/test_names.py -k nobodys",
    ),
    Mutant(
        "whether anybody is in a file decides whether a command is refused",
        "cli/source.py",
        'if kind != "jsonl" and place.is_file()',
        "if place.is_file()",
        "tests/cli/test_commands.py -k of_nobody",
    ),
    Mutant(
        "one column as both ends of an edge is paid for and fails",
        "dataset/methods.py",
        'if kind == "edges" and len(set(given)) < len(given):',
        "if False:",
        "tests/dataset/test_methods.py -k two_ends",
    ),
]
