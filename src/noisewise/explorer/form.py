"""The form of the page. Every field has a label and a place for its error, and works without a script."""

from collections.abc import Iterable, Mapping

from noisewise.explorer.data_files import PublicFiles
from noisewise.explorer.state import State, offered, own_parameters
from noisewise.questions.choice import NAMES
from noisewise.questions.keywords import meanings
from noisewise.questions.typed import without_quotes
from noisewise.results.pictures.html import Markup
from noisewise.results.pictures.svg import quoted

SHAPES = {
    "lognormal": "lognormal (in logarithms)",
    "normal": "normal: mean and deviation",
    "uniform": "uniform: lowest and highest",
}
RELATIONS = {"add_remove": "a person is added or removed", "swap": "a person is swapped; n is public"}
PRICES = {"epsilon": "ε, pure differential privacy", "rho": "ρ, zero-concentrated"}
OF_FILE = (
    "Bounds and granularity begin with round numbers around this public column. For private data choose them without "
    "a look at it."
)


class Form:
    """The form with the values of one state, and the errors of its fields."""

    def __init__(self, state: State, errors: Mapping[str, str], files: PublicFiles) -> None:
        self.state, self.errors, self.files = state, errors, files
        self.first = State.of({})

    def html(self) -> Markup:
        parts = [
            *self._data(),
            *self._question(),
            *self._privacy(),
            *self._wishes(),
            '<button class="main" type="submit">Update</button>',
        ]
        return Markup(
            f'<form class="card" method="get" aria-label="What is explored">{"".join(parts)}</form>'
        )

    def _data(self) -> list[str]:
        sources = {"shape": "a shape", "sample": "a pasted sample"}
        if self.files.files:
            sources["file"] = "a public file"
        source = self.state["source"]
        choices = "".join(
            f'<label><input type="radio" name="source" value="{key}"{" checked" if key == source else ""}'
            f"{self._first('source', key)}>{text}</label>"
            for key, text in sources.items()
        )
        shape = [
            self._select("shape", "Shape", SHAPES.items()),
            _pair(
                self._text("first", "Centre (of the logs), or lowest"),
                self._text("second", "Spread (of the logs), or highest"),
            ),
        ]
        sample = [
            self._field(
                "sample",
                "Numbers that anybody may see",
                f'<textarea id="sample" name="sample" rows="4" spellcheck="false"{self._described("sample")}'
                f"{self._first('sample')}>{quoted_lines(self.state['sample'])}</textarea>",
                "Between blanks, commas or new lines. They become part of the address.",
            )
        ]
        parts = [
            "<fieldset><legend>Public data</legend>",
            f'<div class="choices" role="radiogroup" aria-label="Where the data comes from">{choices}</div>',
            self._error("source"),
            _shown("source", "shape", source, shape),
            _shown("source", "sample", source, sample),
        ]
        if self.files.files:
            parts.append(_shown("source", "file", source, [self._columns()]))
        parts.append(self._text("n", "Number of records, n", "Empty: as many as the sample or file has."))
        return [*parts, "</fieldset>"]

    def _columns(self) -> str:
        groups = []
        for index, file in enumerate(self.files.files):
            options = "".join(
                _option(f"{index}/{name}", name, self.state["column"], begin._asdict())
                for name, begin in file.beginnings.items()
            )
            groups.append(f'<optgroup label="{quoted(file.name)}">{options}</optgroup>')
        described = self._described("column", OF_FILE)
        inner = f'<select id="column" name="column"{described}>{"".join(groups)}</select>'
        return self._field("column", "Column", inner, OF_FILE)

    def _question(self) -> list[str]:
        kinds = offered()
        names = [(name, name.replace("_", " ")) for name in kinds]
        own: dict[str, list[str]] = {}
        said: dict[str, str] = {}
        for name, kind in kinds.items():
            means = meanings(kind.help, kind.signature)
            for parameter in own_parameters(kind):
                own.setdefault(parameter, []).append(name)
                said.setdefault(parameter, without_quotes(means[parameter]))
        parts = ["<fieldset><legend>Question</legend>", self._select("question", "What is asked", names)]
        for parameter, questions in own.items():
            inner = self._text(f"own-{parameter}", parameter, said[parameter])
            hidden = "" if self.state["question"] in questions else " hidden"
            parts.append(f'<div data-questions="{" ".join(questions)}"{hidden}>{inner}</div>')
        bounded = [name for name, kind in kinds.items() if "bounds" in kind.parameters.parameters]
        hidden = "" if self.state["question"] in bounded else " hidden"
        bounds = _pair(self._text("low", "Lower bound"), self._text("high", "Upper bound"))
        parts.append(f'<div data-questions="{" ".join(bounded)}"{hidden}>{bounds}</div>')
        parts.append(
            self._text(
                "granularity", "Granularity", "The step between possible answers. Empty: the usual one."
            )
        )
        return [*parts, "</fieldset>"]

    def _privacy(self) -> list[str]:
        slider = (
            '<div class="field" hidden><label for="slider">Epsilon, on a logarithmic scale</label>'
            '<input type="range" id="slider" min="-2" max="1.2" step="0.02" value="0"></div>'
        )
        return [
            "<fieldset><legend>Privacy</legend>",
            self._select("price", "Price in", PRICES.items()),
            _shown("price", "epsilon", self.state["price"], [self._text("epsilon", "Epsilon, ε"), slider]),
            _shown("price", "rho", self.state["price"], [self._text("rho", "Rho, ρ")]),
            self._select("neighbors", "Relation: two datasets differ where", RELATIONS.items()),
            self._text("contributions", "Contributions", "The most records that one person can have."),
            self._select("mechanism", "Mechanism", [(name, name.replace("_", " ")) for name in NAMES]),
            "</fieldset>",
        ]

    def _wishes(self) -> list[str]:
        return [
            "<fieldset><legend>Accuracy</legend>",
            self._text("goal", "Wanted error", "Says which ε or ρ is enough for it."),
            _pair(self._text("confidence", "Confidence"), self._text("delta", "δ, for (ε, δ)")),
            self._text("seed", "Seed of the dots"),
            "</fieldset>",
        ]

    def _text(self, name: str, label: str, hint: str = "") -> str:
        value = quoted(self.state[name])
        inner = (
            f'<input type="text" id="{name}" name="{name}" value="{value}" inputmode="decimal" autocomplete="off"'
            f"{self._described(name, hint)}{self._first(name)}>"
        )
        return self._field(name, label, inner, hint)

    def _select(self, name: str, label: str, options: Iterable[tuple[str, str]]) -> str:
        inner = "".join(_option(value, text, self.state[name]) for value, text in options)
        return self._field(
            name,
            label,
            f'<select id="{name}" name="{name}"{self._described(name)}{self._first(name)}>{inner}</select>',
        )

    def _field(self, name: str, label: str, inner: str, hint: str = "") -> str:
        said = f'<span class="hint" id="{name}-hint">{quoted(hint)}</span>' if hint else ""
        return f'<div class="field"><label for="{name}">{quoted(label)}</label>{inner}{said}{self._error(name)}</div>'

    def _error(self, name: str) -> str:
        text = quoted(self.errors.get(name, ""))
        return f'<span class="error" id="{name}-error" data-field="{name}">{text}</span>'

    def _described(self, name: str, hint: str = "") -> str:
        by = f"{name}-hint {name}-error" if hint else f"{name}-error"
        return f' aria-describedby="{by}"' + (' aria-invalid="true"' if self.errors.get(name) else "")

    def _first(self, name: str, value: str | None = None) -> str:
        """Return an attribute with the first value of a field. Fields with that value are left out of the address."""
        return f' data-first="{quoted(self.first[name])}"' if value in (None, self.first[name]) else ""


def _option(value: str, text: str, chosen: str, fields: Mapping[str, str] | None = None) -> str:
    """Return one choice of a list. ``fields`` has the first values of other fields after this choice is made."""
    given = "".join(f' data-{name}="{quoted(begin)}"' for name, begin in (fields or {}).items())
    selected = " selected" if value == chosen else ""
    return f'<option value="{quoted(value)}"{selected}{given}>{quoted(text)}</option>'


def _pair(*fields: str) -> str:
    return f'<div class="pair">{"".join(fields)}</div>'


def _shown(kind: str, value: str, chosen: str, parts: Iterable[str]) -> str:
    """Return fields that are shown only if a choice is made. ``parts`` has their HTML."""
    return f'<div data-{kind}="{value}"{"" if value == chosen else " hidden"}>{"".join(parts)}</div>'


def quoted_lines(text: str) -> str:
    """Return a text escaped for HTML, line by line."""
    return "\n".join(quoted(line) for line in text.splitlines())
