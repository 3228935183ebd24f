"""The rules of the house: what a reviewer would otherwise have to remember.

The import law itself is in tach.toml and checked by ``make check``; here it is checked that no module escapes it.
"""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import noisewise

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "noisewise"
MODULES = sorted(SOURCE.rglob("*.py"))
ROOMS_WITH_PROOFS = ("statistics", "mechanisms", "releases")

MAX_LINES = 400
PAGE = "man/noisewise.1"
SHADOWS = {
    "min",
    "max",
    "sum",
    "range",
}  # exist at the front door, but a star import must not hide the builtins
MODULES_AT_THE_DOOR = {"audit", "bridges", "hazmat", "testing"}
NO_MIRROR = {  # types, and protocols: their laws are the tests of what follows them
    "books/book.py",
    "columns/column.py",
    "numbers/arrays.py",
    "tables/table.py",
}
TESTED_WITH = {  # tested together with what they are made for
    "cli/plan_options.py": "cli/test_plans.py",
    "dataset/answer_columns.py": "cli/test_answer_columns.py",
    "explorer/form.py": "explorer/test_page.py",
    "forks.py": "books/test_forks.py",
    "public.py": "test_house.py",
    "questions/keywords.py": "questions/test_functions.py",
    "statistics/rising_sum.py": "statistics/test_huber_mean.py",
    "sampling/radial_draw.py": "laws/test_ball_law.py",
}
NO_LAW = {  # protocols, and what several laws share or one is made of; each law has its own proof
    "mechanisms/choice.py",
    "mechanisms/mechanism.py",
    "mechanisms/scored.py",
    "releases/pairs.py",
    "releases/tree.py",
    "statistics/trimming.py",
    "statistics/gini_bound.py",
    "statistics/gini_search.py",
    "statistics/known_column.py",
    "statistics/rising_sum.py",
    "statistics/statistic.py",
    "statistics/two_lattices.py",
    "statistics/vector.py",
    "statistics/windows.py",
}
HEAVY = (
    "dp_accounting",
    "duckdb",
    "igraph",
    "narwhals",
    "networkx",
    "opendp",
    "pandas",
    "polars",
    "psycopg",
    "pyarrow",
    "pyspark",
    "rich",
    "scipy",
    "starlette",
    "typer",
    "uvicorn",
)

NOT_OURS = {
    ".git",
    ".venv",
    ".venv-floors",
    "venv",
    "site",
    "dist",
    "build",
    "__pycache__",
    ".hypothesis",
    ".tach",
}
FORBIDDEN = [  # spelled in halves, so that this file may be read as well
    "/wo" + "rk/",
    "/ro" + "ot/",
    "issue" + " #",
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.",
    "ghcr" + ".io",
    "docker" + ".io",
]


def name(path):
    """A source file as the house speaks of it: statistics/quantile.py."""
    return path.relative_to(SOURCE).as_posix()


def pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def texts():
    """Every text file that belongs to the project, git or no git."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        foreign = any(p in NOT_OURS or p.endswith(("_cache", ".egg-info")) for p in parts)
        if not foreign and path.is_file():
            try:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue


# The front door


def test_all_is_sorted_without_repeats():
    assert noisewise.__all__ == sorted(set(noisewise.__all__))


def test_all_names_exist():
    assert [n for n in noisewise.__all__ if not hasattr(noisewise, n)] == []


def test_all_is_complete_and_leaks_nothing():
    def ours(n, value):
        return (
            isinstance(value, ModuleType)
            and value.__name__ == f"noisewise.{n}"
            and n not in MODULES_AT_THE_DOOR
        )

    noisewise.__dir__()  # loads what is public
    public = {n for n, value in vars(noisewise).items() if not n.startswith("_") and not ours(n, value)}
    assert public - SHADOWS == set(noisewise.__all__) - {"__version__"}
    assert {
        n for n in noisewise.__all__ if isinstance(getattr(noisewise, n), ModuleType)
    } <= MODULES_AT_THE_DOOR


def test_no_builtin_is_hidden_by_a_star_import():
    assert SHADOWS.isdisjoint(noisewise.__all__)
    assert [n for n in ("min", "max") if not callable(getattr(noisewise, n, None))] == []


@pytest.mark.parametrize(
    ("use", "heavy"),
    [("", (*HEAVY, "flint", "numpy", "sqlite3")), ("noisewise.median", HEAVY)],
    ids=["imported", "loaded"],
)
def test_importing_is_light(use, heavy):
    script = f"import sys, noisewise; {use}\nprint([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "[]", "")


# The source


def test_there_is_a_source():
    assert SOURCE / "__init__.py" in MODULES


def test_exemptions_are_of_modules_that_exist():
    assert (NO_MIRROR | NO_LAW | set(TESTED_WITH)) - {name(path) for path in MODULES} == set()


def test_every_module_says_its_idea_and_is_short():
    written = {name(path): path.read_text(encoding="utf-8") for path in MODULES}
    assert len(written) > 300
    without = [module for module, text in written.items() if not ast.get_docstring(ast.parse(text))]
    assert without == [], "a module opens with its idea"
    long = [module for module, text in written.items() if len(text.splitlines()) > MAX_LINES]
    assert long == [], f"over {MAX_LINES} lines a file is asking to be two"


def test_every_module_is_mirrored_by_tests():
    mirrored = [p for p in MODULES if p.name != "__init__.py" and name(p) not in NO_MIRROR]
    assert [name(path) for path in mirrored if not any(mirror.exists() for mirror in mirrors(path))] == []


def mirrors(path):
    """Files where a module's tests may stand."""
    relative = path.relative_to(SOURCE)
    return [
        ROOT / "tests" / f"test_{path.stem}.py",
        ROOT / "tests" / relative.parent / f"test_{path.stem}.py",
        ROOT / "tests" / relative.parent.parent / f"test_{relative.parent.name}.py",  # of one shape, together
        ROOT / "tests" / TESTED_WITH.get(relative.as_posix(), "nowhere"),
    ]


@pytest.mark.parametrize(
    "path",
    [
        p
        for p in MODULES
        if p.parent.name in ROOMS_WITH_PROOFS and p.name != "__init__.py" and name(p) not in NO_LAW
    ],
    ids=name,
)
def test_no_law_without_a_proof(path):
    proof = ROOT / "docs" / "proofs" / f"{path.stem}.md"
    assert proof.exists(), f"docs/proofs/{proof.name} is missing"


def test_every_module_is_under_the_import_law():
    law = tomllib.loads((ROOT / "tach.toml").read_text(encoding="utf-8"))
    listed = {p for rule in law["modules"] for p in [rule.get("path"), *rule.get("paths", [])] if p}
    rooms = {f"noisewise.{name(p).removesuffix('.py').split('/')[0]}" for p in MODULES} - {
        "noisewise.__init__"
    }
    assert rooms - listed == set(), "add the module to tach.toml, in the layer it belongs to"
    assert all(rule["layer"] in law["layers"] for rule in law["modules"])
    assert law["ignore_type_checking_imports"] is False


def test_the_command_line_searches_no_texts_of_the_library():
    """Errors carry fields and helps have sections: a regular expression over their words would break unseen.

    What a user typed is read by `words`; `codes` hides passwords, and reads the texts of typer, which has no fields.
    """
    reading = {"cli/words.py", "cli/exit_codes.py"}
    for path in sorted((SOURCE / "cli").glob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        imported = {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
        imported |= {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
        assert "re" not in imported or name(path) in reading, name(path)
        searched = [
            ast.unparse(node)
            for node in nodes
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("str(error)", "error.args[0]")
        ]
        assert searched == [], name(path)


def test_every_attack_is_shown_to_notice_a_break():
    """A search that finds nothing proves nothing unless it finds what is broken on purpose."""
    attacks = sorted((ROOT / "tests" / "attacks").glob("test_*.py"))
    assert attacks
    for path in attacks:
        names = [
            node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)
        ]
        assert any("notice" in each for each in names if each.startswith("test_")), path.name


def test_the_map_names_every_module_and_no_other():
    """A row of ARCHITECTURE.md begins with its room; statistics are one file per question, and named by their pages."""
    named = set()
    for row in (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").splitlines():
        room, _, files = row.removeprefix("| ").partition(" | ")
        if row.startswith("| ") and (room.startswith("`") or room == "the root"):
            folder = "" if room == "the root" else room.strip("`")
            named |= {folder + word for word in re.findall(r"`(\w+\.py)`", files)}
    modules = {name(path) for path in MODULES if path.name not in ("__init__.py", "__main__.py")}
    assert named - modules == set(), "the map names what is not there"
    missing = {module for module in modules - named if not module.startswith("statistics/")}
    assert missing == set(), "the map leaves out what is there"


# The package


def test_the_wheel_is_pure_python():
    project = pyproject()
    assert project["build-system"]["build-backend"] == "hatchling.build"
    assert project["tool"]["hatch"]["build"] == {
        "targets": {
            "wheel": {
                "packages": ["src/noisewise"],
                "shared-data": {PAGE: f"share/man/man1/{Path(PAGE).name}"},
            }
        }
    }
    assert [p.name for p in SOURCE.rglob("*") if p.suffix in {".so", ".pyd", ".c", ".pyx", ".rs"}] == []


def test_the_package_is_typed():
    assert (SOURCE / "py.typed").is_file()


def test_the_versions_agree():
    version = pyproject()["project"]["version"]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert noisewise.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_no_file_speaks_of_a_machine_or_a_tracker():
    found = [(path, word) for path, text in texts() for word in FORBIDDEN if word in text.lower()]
    assert found == []
