"""The command of one question, and the code that it shares with ``ask``: the dataset, the ledger and the output."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from noisewise.cli.error_text import naming
from noisewise.cli.input_file import Columns, opened
from noisewise.cli.options import COMMON, FILE, GROUPING, Option, made
from noisewise.cli.output_file import Content, output_file
from noisewise.cli.questions import QuestionCommand
from noisewise.errors import NoisewiseError
from noisewise.questions.keywords import SEARCHED
from noisewise.questions.typed import Given, Types, number, whole
from noisewise.version import GLOSSARY

if TYPE_CHECKING:
    from noisewise.dataset.answer_columns import AnswerColumns
    from noisewise.ledger.ledger import Ledger
    from noisewise.results.grouped_release import GroupedRelease
    from noisewise.results.joint_release import JointRelease
    from noisewise.results.release import Release

    Answered = tuple[Release | GroupedRelease | JointRelease, Mapping[str, AnswerColumns | None]]
    """Answers, and the names of the numbers of each."""


def command(name: str) -> Any:
    """Return the command of a question, with all its options."""
    question = QuestionCommand.called(name)

    def run(**given: Any) -> None:
        with naming(question.option_names(given)):
            answer_and_show(given, partial(answer, question, given))

    common = {
        name: option
        for name, option in COMMON.items()
        if question.kind.capabilities.in_groups or name not in GROUPING
    }
    options: dict[str, Option] = {"file": FILE, **question.options(), **common}
    epilog = f"Example: {question.example}\n\nWords: {GLOSSARY}"
    return made(question.name, run, options, help=question.help, epilog=epilog)


def answer(question: QuestionCommand, given: Given, found: "Callable[[Release], None]") -> "Answered":
    """Check the question, pay for it, and return its answer and the columns of the answer.

    If the groups are searched for, ``found`` is called with the release of that search.
    """
    from noisewise.cli.group_options import Grouping

    groups = Grouping.of(given)

    def check(columns: Columns) -> tuple[Types, dict[str, Any]]:
        types = columns.checked(named(given) | question.named(given))
        return types, question.typed.read(given, types)

    with opened(given, check, partial(held, given)) as (dataset, (types, keywords)):
        from noisewise.dataset.answer_columns import AnswerColumns
        from noisewise.dataset.methods import ask

        if groups is not None and question.counts_groups(given):
            keywords["with_count"] = True
        value = getattr(ask, question.kind.name)(**keywords)
        if groups is None:
            return dataset._ask(value), {question.kind.name: AnswerColumns.of(value)}
        if not groups.keys:
            dataset._bind(value)  # a wrong question must not cost the keys
            groups.check_search(dataset, [value])
        grouped = groups.of_dataset(dataset, types, found)
        answered = grouped._ask(value)
        return answered, dict.fromkeys(answered.each, AnswerColumns.of(value))


def answer_and_show(given: Given, answer: "Callable[[Callable[[Release], None]], Answered]") -> None:
    """Call ``answer``, write its result to a file if one is named, and print it. Everything that is paid is printed."""
    selections: list[Release] = []
    with output_file(given["output"], given["file"], given["ledger"], pictures=True) as write:
        try:
            answers, columns = answer(selections.append)
        except NoisewiseError:
            if selections:  # the groups are found and paid for
                _show(selections[0], None, {}, given)
            raise
        selection = selections[0] if selections else None
        try:
            from noisewise.cli.answer_text import card_with

            write(Content.of(answers, columns, card_with(answers, selection), payer(given)))
        finally:
            _show(answers, selection, columns, given)


def _show(answers: Any, selection: Any, columns: Any, given: Given) -> None:
    from noisewise.cli.answer_text import show  # not before there is an answer

    show(answers, selection, columns, as_json=given["json"])


def named(given: Given) -> dict[str, list[str]]:
    """Return the columns that were typed for ``--by`` and ``--unit``, by these options."""
    unit = given["unit"]
    return {"--by": given.get("by") or [], "--unit": [] if unit is None else [unit]}


def held(given: Given) -> dict[str, Any]:
    """Return the keywords of the dataset: the people that it protects, and the ledger that pays."""
    said = {name: given[name] for name in ("unit", "neighbors", "name") if given.get(name) is not None}
    for name in ("contributions", "max_groups", "per_group", *SEARCHED):
        if (text := given.get(name)) is not None:
            share = name in ("contributions_share", "contributions_quantile")
            private = name == "contributions" and text == "private"
            said[name] = text if private else number(name, text) if share else whole(name, text)
    if (ledger := payer(given)) is not None:
        said["ledger"] = ledger()
    return said


def payer(given: Given) -> "Callable[[], Ledger] | None":
    """Return a function that opens the ledger, or None if no ledger was named."""
    place = given.get("ledger")
    if place is None:
        return None
    from noisewise.cli.ledgers import open_ledger

    return partial(open_ledger, place, given["name"])
