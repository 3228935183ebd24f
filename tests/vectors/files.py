"""Where the vectors lie, and how they are written: one file each, exact numbers as text."""

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOLDERS = ("laws", "statistics", "draws", "receipts", "ledgers")


def path(folder: str, name: str) -> Path:
    """laws/piecewise-laplace-1.json holds the vectors of piecewise-laplace/1."""
    return HERE / folder / f"{name.replace('/', '-')}.json"


def names(folder: str) -> list[str]:
    """What each file says it is about."""
    return sorted(
        json.loads(file.read_text(encoding="utf-8"))["of"] for file in (HERE / folder).glob("*.json")
    )


def read(folder: str, name: str) -> Any:
    return json.loads(path(folder, name).read_text(encoding="utf-8"))


def told(name: str, vectors: Any) -> Any:
    """Vectors as a file holds them."""
    return json.loads(json.dumps({"of": name, **vectors}, ensure_ascii=False))


def spell(vectors: Any) -> str:
    """A case on a line."""
    lines = []
    for key, value in vectors.items():
        if isinstance(value, list) and value:
            rows = ",\n".join(f"  {_compact(each)}" for each in value)
            lines.append(f" {json.dumps(key)}: [\n{rows}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {_compact(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
