"""Writes every list of questions and statistics from the registered ones, so that nobody adds a name by hand.

    python -m scripts.registered

A list stands between two marks in its file. `tests/questions/test_registered.py` fails where a list is behind.
"""

import importlib
import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, walk_packages

from noisewise import public, statistics
from noisewise.cli.questions import questions as commands
from noisewise.questions import functions, kinds
from noisewise.questions.question import KINDS, Kind
from scripts import engines_table

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "noisewise"
TYPES = SOURCE / "dataset" / "method_types.pyi"
REFERENCE = ROOT / "docs" / "reference.md"
BEGIN, END = "written by scripts/registered.py", "until here"
HEAD = '"""For type checkers alone, written by scripts/registered.py."""\n\n'

METHODS = {
    ("column",): "of_column",
    ("label",): "of_column",
    ("matrix",): "of_list",
    ("cells",): "of_list",
    ("edges",): "of_list",
    ("column", "column"): "of_columns",
    ("matrix", "column"): "of_list_and_column",
}
"""The type of a method, by what the question takes."""


def modules_of_questions() -> dict[str, str]:
    """The module of each question, from the files themselves and not from the table that is to be written."""
    kinds.MODULES.clear()
    themes = [each.name for each in iter_modules(functions.__path__)]
    loaded = {theme: import_module(f"{functions.__name__}.{theme}") for theme in themes}
    found = {
        each.kind.name: theme
        for theme, module in loaded.items()
        for each in vars(module).values()
        if isinstance(getattr(each, "kind", None), Kind) and each.__module__ == module.__name__
    }
    return dict(sorted(found.items()))


def modules_of_statistics(questions: dict[str, str]) -> dict[str, str]:
    """The module of each statistic that has the name of a question, but for capitals and underscores."""
    names = {name.replace("_", "") for name in questions}
    prefix = f"{statistics.__name__}."
    found = {}
    for each in walk_packages(statistics.__path__, prefix):
        for name, value in vars(import_module(each.name)).items():
            is_own = isinstance(value, type) and value.__module__ == each.name
            if is_own and issubclass(value, statistics.Statistic) and name.lower() in names:
                found[name] = each.name.removeprefix(prefix)
    return dict(sorted(found.items()))


def table(modules: dict[str, str]) -> str:
    """A table of names and modules as Python text."""
    rows = "".join(f'    "{name}": "{module}",\n' for name, module in modules.items())
    return f"MODULES: dict[str, str] = {{\n{rows}}}\n"


def stub(modules: dict[str, str], names: list[str], more: str = "") -> str:
    """A stub that imports every name from its module, and lists those that a star import takes."""
    lines = []
    for name, module in sorted(modules.items(), key=lambda each: (each[1], each[0])):
        lines.append(f"from {module} import {name} as {name}\n")
    listed = "".join(f'    "{name}",\n' for name in names)
    return f"{HEAD}{''.join(lines)}\n{more}__all__ = [\n{listed}]\n"


def quoted(text: str) -> str:
    """A text as Python writes it, in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def summaries() -> str:
    """The list of commands as Python text: the family of each, and what it is about."""
    rows = "".join(
        f"    {quoted(name)}: ({quoted(each.family)}, {quoted(each.short)}),\n"
        for name, each in commands().items()
    )
    return f"SUMMARIES: dict[str, tuple[str, str]] = {{\n{rows}}}\n"


def method_lines(questions: dict[str, str]) -> str:
    """A typed method of each question, for the body of a class."""
    lines = []
    for name, theme in questions.items():
        can = KINDS[name].capabilities
        maker = "of_any" if can.all_rows else METHODS[can.columns]
        lines.append(f"    {name} = {maker}(_{theme}.{name})\n")
    return "".join(lines)


def theme_imports(questions: dict[str, str]) -> str:
    """The files of questions, imported under names that no question has."""
    themes = sorted(set(questions.values()))
    return "".join(f"from {functions.__name__} import {theme} as _{theme}\n" for theme in themes)


def theme_entries(questions: dict[str, str], theme: str) -> str:
    """The entries of the reference for the questions of a file, in their order there."""
    module = import_module(f"{functions.__name__}.{theme}")
    names = [name for name in vars(module) if questions.get(name) == theme]
    return "\n" + "".join(f"::: {module.__name__}.{name}\n\n" for name in names)


def statistic_entries(modules: dict[str, str]) -> str:
    """The entries of the reference for statistics."""
    return "\n" + "".join(f"::: noisewise.{name}\n    options:\n      members: []\n\n" for name in modules)


def between(text: str, what: str, written: str) -> str:
    """The text with what stands between two marks replaced; ``what`` stands in the first of them."""
    marks = re.compile(rf"(^[^\n]*{re.escape(what)}[^\n]*\n).*?(^[^\n]*{END}[^\n]*$)", re.M | re.S)
    replaced, count = marks.subn(lambda found: f"{found[1]}{written}{found[2]}", text)
    assert count == 1, f"{what!r} must stand in the file once, before {END!r}"
    return replaced


def _types(questions: dict[str, str]) -> str:
    """The types of methods."""
    text = between(TYPES.read_text(encoding="utf-8"), f"imports, {BEGIN}", theme_imports(questions))
    return between(text, f"lines, {BEGIN}", method_lines(questions))


def _page(questions: dict[str, str], classes: dict[str, str]) -> str:
    """The reference."""
    text = REFERENCE.read_text(encoding="utf-8")
    for theme in sorted(set(questions.values())):
        text = between(text, f"{theme}: {BEGIN}", theme_entries(questions, theme))
    return between(text, f"statistics: {BEGIN}", statistic_entries(classes))


def files() -> dict[Path, str]:
    """Every file with a list, and the text that it should have."""
    questions = modules_of_questions()
    kinds.MODULES.update(questions)
    classes = modules_of_statistics(questions)
    statistics.MODULES.clear()
    statistics.MODULES.update(classes)
    names = importlib.reload(public)
    texts = {
        SOURCE / "questions/kinds.py": table(questions),
        SOURCE / "statistics/__init__.py": table(classes),
        SOURCE / "cli/summaries.py": summaries(),
    }
    written = {path: between(path.read_text(encoding="utf-8"), BEGIN, text) for path, text in texts.items()}
    return written | {
        SOURCE / "__init__.pyi": stub(names.MODULES, names.__all__),
        SOURCE / "statistics/__init__.pyi": stub(
            statistics.OTHERS | _full(classes),
            sorted(statistics.OTHERS | classes),
            "MODULES: dict[str, str]\n",
        ),
        TYPES: _types(questions),
        REFERENCE: _page(questions, classes),
        engines_table.PAGE: engines_table.written(engines_table.PAGE.read_text(encoding="utf-8")),
    }


def _full(classes: dict[str, str]) -> dict[str, str]:
    return {name: f"{statistics.__name__}.{module}" for name, module in classes.items()}


if __name__ == "__main__":
    for path, text in files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {path.relative_to(ROOT)}")
