"""Breaks by which one line of JSON decides what may be asked, whether it is answered, or what others have."""

from tests.mutants.mutant import Mutant

FILE, TABLE, LINES = (
    "tables/files/json_lines.py",
    "tables/files/text_table.py",
    "tests/tables/files/test_json_lines.py -k",
)

MUTANTS = [
    Mutant(
        "the columns of JSON lines are those of somebody's record",
        "tables/files/scan.py",
        "else (objects_of(paths), None)",
        'else (objects_of(paths), ("y",))',
        f"{LINES} one_person",
    ),
    Mutant(
        "a line in a wrong encoding fails the release",
        FILE,
        '"TRY(decode(c0)) AS line"',
        '"decode(c0) AS line"',
        f"{LINES} one_line",
    ),
    Mutant(
        "a long line is a record as far as it was kept",
        FILE,
        "np.where(lines.long, stops, starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0))",
        "starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0)",
        f"{LINES} one_line",
    ),
    Mutant(
        "which line stands first decides what it is",
        FILE,
        "starts + len(BYTE_ORDER_MARK) * np.all(marked, axis=0)",
        "starts + len(BYTE_ORDER_MARK) * (np.all(marked, axis=0) & (starts == 0))",
        f"{LINES} wherever_the_line",
    ),
    Mutant(
        "two columns are taken for one",
        TABLE,
        "if len({name.lower() for name in used}) < len(used):",
        "if False:",
        "tests/tables/files/test_text_table.py -k capitals",
    ),
    Mutant(
        "files that change between two passes go unnoticed",
        TABLE,
        "ThreadedDuckDB(reader, progress, files.fail_if_changed)",
        "ThreadedDuckDB(reader, progress)",
        f"{LINES} change_is_seen",
    ),
    Mutant(
        "files that changed since they were opened are paid for",
        TABLE,
        "clocks=self._clocks, files=self._files, dialect",
        "clocks=self._clocks, dialect",
        f"{LINES} change_is_seen",
    ),
    Mutant(
        "a line that is no JSON fails the release",
        FILE,
        "TRY(json_extract_string(line, '{value}'))",
        "json_extract_string(line, '{value}')",
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
        "a key is taken for a way into nested objects",
        FILE,
        '.replace("~", "~0").replace("/", "~1")',
        "",
        f"{LINES} any_text",
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
        "cli/input_file.py",
        'if kind != "jsonl" and file.is_file()',
        "if file.is_file()",
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
