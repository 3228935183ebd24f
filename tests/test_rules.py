"""Rules of the project that a reviewer would otherwise have to remember.

The import law is in tach.toml, and ``make check`` checks it. Here a test checks that it covers every module.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

import noisewise

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "noisewise"
MODULES = sorted(SOURCE.rglob("*.py"))
FOLDERS_WITH_PROOFS = ("statistics", "kernel/mechanisms", "questions/composites")

SHADOWS = {
    "min",
    "max",
    "sum",
    "range",
}  # exist at the front door, but a star import must not hide the builtins
MODULES_AT_THE_DOOR = {"audit", "bridges", "hazmat", "paper", "testing"}
TESTED_WITH = {
    "statistics/records.py": "tables/columns/test_array_column.py",
}
"""Modules that are tested together with another one."""
NO_LAW = {  # protocols, and helpers of laws; each law has its own proof
    "statistics/row_formulas.py",
    "statistics/products.py",
    "statistics/records.py",
    "kernel/mechanisms/mechanism.py",
    "questions/composites/tied_pairs.py",
    "questions/composites/tree.py",
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
    "sqlglot",
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
    ".cache",
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
    """The path of a source file inside the package, such as statistics/quantile.py."""
    return path.relative_to(SOURCE).as_posix()


def pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def texts():
    """All text files of the project, with or without git."""
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

    noisewise._load()
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
    [("", (*HEAVY, "flint", "numpy", "sqlite3")), ("noisewise.median", (*HEAVY, "flint"))],
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
    assert (NO_LAW | set(TESTED_WITH)) - {name(path) for path in MODULES} == set()


def test_every_module_has_a_docstring():
    without = [name(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text("utf-8")))]
    assert without == [], "a module begins with a docstring that says its idea"


LAWS = [
    path
    for path in MODULES
    if name(path).startswith(tuple(f"{folder}/" for folder in FOLDERS_WITH_PROOFS))
    and path.name != "__init__.py"
]


def test_every_law_has_tests():
    """Nobody has tried to break a statistic, a mechanism or a composite that inherits no laws."""
    assert [name(path) for path in LAWS if not any(mirror.exists() for mirror in mirrors(path))] == []


def mirrors(path):
    """The files in which the tests of a module may be."""
    relative = path.relative_to(SOURCE)
    return [
        ROOT / "tests" / f"test_{path.stem}.py",
        ROOT / "tests" / relative.parent / f"test_{path.stem}.py",
        ROOT
        / "tests"
        / relative.parent.parent
        / f"test_{relative.parent.name}.py",  # tests of a whole folder
        ROOT / "tests" / TESTED_WITH.get(relative.as_posix(), "nowhere"),
    ]


@pytest.mark.parametrize("path", [path for path in LAWS if name(path) not in NO_LAW], ids=name)
def test_no_law_without_a_proof(path):
    """The docstring names its page: ``Proof: docs/proofs/quantile.md.``"""
    idea = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    pages = re.findall(r"docs/proofs/(\w+\.md)", idea)
    assert pages, "the docstring names no proof"
    assert [page for page in pages if not (ROOT / "docs" / "proofs" / page).exists()] == []


def test_no_class_name_is_used_twice():
    counts = Counter(
        node.name
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert [each for each, count in counts.items() if count > 1] == []


def test_no_file_name_is_used_twice():
    """Two files share a name only if they do the same job: behind an engine, for another statistic, for the public."""
    same_job = {
        "errors.py": {"", "kernel"},
        "reach.py": {"statistics/gini", "statistics/variance"},
        "key_counts.py": {"tables/engines", "tables/groups"},
        "people.py": {"tables", "tables/engines"},
        "totals.py": {"tables", "tables/engines"},
        "selection.py": {"tables/columns", "tables/engines"},
        "sums.py": {"tables/columns", "tables/engines"},
    }
    folders = defaultdict(set)
    for path in MODULES:
        if path.name not in ("__init__.py", "__main__.py"):
            folders[path.name].add(name(path).rpartition("/")[0])
    assert {file: where for file, where in folders.items() if len(where) > 1} == same_job


def test_every_module_is_under_the_import_law():
    law = tomllib.loads((ROOT / "tach.toml").read_text(encoding="utf-8"))
    listed = {p for rule in law["modules"] for p in [rule.get("path"), *rule.get("paths", [])] if p}
    top = {f"noisewise.{name(p).removesuffix('.py').split('/')[0]}" for p in MODULES} - {"noisewise.__init__"}
    assert top - listed == set(), "add the module to tach.toml, in the layer it belongs to"
    assert all(rule["layer"] in law["layers"] for rule in law["modules"])
    assert law["ignore_type_checking_imports"] is False


def test_every_attack_is_shown_to_notice_a_break():
    """A search that finds nothing proves nothing unless it finds a break made on purpose."""
    attacks = sorted((ROOT / "tests" / "attacks").glob("test_*.py"))
    assert attacks
    for path in attacks:
        names = [
            node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)
        ]
        assert any("notice" in each for each in names if each.startswith("test_")), path.name


def test_the_kernel_imports_numpy_flint_and_itself():
    """Lazy imports and imports for types count, too."""
    allowed = {"numpy", "flint"} | set(sys.stdlib_module_names)
    outside = []
    for path in sorted((SOURCE / "kernel").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            assert not getattr(node, "level", 0), "imports are absolute"
            outside += [
                (name(path), each)
                for each in names
                if each.split(".")[0] not in allowed and not f"{each}.".startswith("noisewise.kernel.")
            ]
    assert outside == []


def test_every_folder_says_what_is_in_it():
    """There are few folders at the top. Each says which file to read first and who may import it."""
    folders = {path.parent for path in MODULES} - {SOURCE}
    top = [each for each in folders if each.parent == SOURCE]
    assert len(top) <= 14
    for folder in folders:
        assert (folder / "__init__.py").exists(), f"{folder.name} is no package"
    for folder in top:
        idea = " ".join(ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))).split())
        assert "Read `" in idea or "Read README.md" in idea, f"{folder.name} does not say what to read first"
        assert re.search(r"import(s)? it\b", idea), f"{folder.name} does not say what may import it"


def test_the_kernel_names_the_proof_of_each_file():
    page = (SOURCE / "kernel" / "README.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in page.splitlines() if row.startswith("| `")]
    named = set()
    for _, files, *_, proof, _ in rows:
        first, *others = re.findall(r"`([\w/]+\.py)`", files)
        folder = first.rpartition("/")[0]
        named |= {first, *(f"{folder}/{other}".lstrip("/") for other in others)}
        for link in re.findall(r"\]\((.+?)\)", proof):
            assert (SOURCE / "kernel" / link).resolve().exists(), link
    files = {name(path).removeprefix("kernel/") for path in MODULES if name(path).startswith("kernel/")}
    assert named == {file for file in files if not file.endswith("__init__.py")}


# The package


def test_the_wheel_is_pure_python():
    project = pyproject()
    assert project["build-system"]["build-backend"] == "hatchling.build"
    assert project["tool"]["hatch"]["build"] == {
        "targets": {"wheel": {"packages": ["src/noisewise"]}},
    }
    assert [p.name for p in SOURCE.rglob("*") if p.suffix in {".so", ".pyd", ".c", ".pyx", ".rs"}] == []


def test_the_package_is_typed():
    assert (SOURCE / "py.typed").is_file()


def test_the_versions_agree():
    version = pyproject()["project"]["version"]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert noisewise.__version__ == version
    assert {each.version for each in metadata.distributions(name="noisewise")} <= {version}
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_every_file_that_a_document_names_exists():
    """Files of Python, in the documentation and in docstrings. A name without its folder is enough."""
    files = {path for path, _ in texts()}
    names = {path.rpartition("/")[2] for path in files}
    missing = []
    for path, text in texts():
        if (path.endswith(".md") and path != "CHANGELOG.md") or path.startswith("src/"):
            for file in re.findall(r"(?<![\w/<.])((?:\w+/)*\w+\.pyi?)\b", text):
                known = file.rpartition("/")[2] in names
                if "/" in file:
                    known = any(f"/{each}".endswith(f"/{file}") for each in files)
                missing += [] if known else [(path, file)]
    assert missing == []


def test_no_file_speaks_of_a_machine_or_a_tracker():
    assert [(path, word) for path, text in texts() for word in FORBIDDEN if word in text.lower()] == []
