"""Dataset: a table of private records, the column that names people, and the ledger that pays for releases.

Every function of the library is a method here, with the names of columns instead of data. What a Dataset holds
(neighbours, contributions, ledger) is not repeated with each question.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec
from inspect import Signature, signature
from operator import attrgetter
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from noisewise.calls import check_call, checked_call, without_frames
from noisewise.dataset.batches import OfColumns, Together, of_totals
from noisewise.dataset.facts import Column, Facts
from noisewise.dataset.methods import Questions, ask, beside_each, check_questions, data_of, in_one_snapshot
from noisewise.dataset.timed import in_time, notes_on, translate
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError, Words, install
from noisewise.kernel.losses import Loss, Neighbors
from noisewise.kernel.numbers.exact import Number, describe, whole
from noisewise.kernel.prices import Price, exact_price
from noisewise.kernel.settle import Payer, settle
from noisewise.ledger.ledger import Ledger
from noisewise.ledger.refusals import Suggesting
from noisewise.questions.choice import check_named
from noisewise.questions.found_contributions import ContributionsSearch, sum_of_prices
from noisewise.questions.keywords import SEARCHED
from noisewise.questions.payable import Payable, check_payer, mechanism_for
from noisewise.questions.question import Question, price_of_all, priced
from noisewise.questions.terms import price_of, unit_of_privacy
from noisewise.results.joint_release import JointRelease
from noisewise.results.pictures.html import facts_table, fragment, heading
from noisewise.results.release import Release
from noisewise.tables.conditions import Condition
from noisewise.tables.engines.dialect import FirstPass
from noisewise.tables.frames import table_of
from noisewise.tables.names import is_column, unknown_column
from noisewise.tables.people import Choice, fresh_salt
from noisewise.tables.table import Table
from noisewise.tables.totals import Total

if TYPE_CHECKING:
    from noisewise.dataset.grouped import Grouped
    from noisewise.dataset.sql.sql_answer import SqlAnswer, SqlPlan
    from noisewise.results.grouped_release import GroupedRelease


NAMES_PEOPLE = re.compile(
    "(user|customer|patient|person|client|member|employee|student|subject|participant)(_?(id|key|no|number))?|uid|pid",
    re.IGNORECASE,
)
"""Names of columns that probably name people."""


class Dataset(Questions[Release]):
    """A table of private records.

    Args:
        frame: A data frame of pandas, Polars (eager or lazy), PyArrow, DuckDB or PySpark. Derive columns row by row
            before you hand it over, and filter it then, or by `where`. Or a database of PostgreSQL: its URL,
            ``"postgresql://..."``, or a connection of psycopg's.
        unit: The column that names a person. Then at most ``contributions`` records of each person take part, chosen by
            a secret order. Without it, no person has more than ``contributions`` rows; you guarantee this.
        contributions: How many records one person may contribute to an answer. With ``"private"`` each question finds
            it first, for a part of its price; needs ``unit``.
        max_groups: In how many groups of `group_by` one person may take part; needs ``unit``.
        per_group: How many records of one person may take part in any one group of `group_by`; needs ``unit``. By
            default as many as ``contributions``.
        contributions_share: With ``contributions="private"``: the part of the price that finds them; by default 1/10.
        contributions_quantile: With ``contributions="private"``: which share of people should have all rows take part;
            by default 0.95.
        contributions_most: With ``contributions="private"``: the largest limit that may be found; by default 1000.
        neighbors: ``"add_remove"`` hides whether a person is in the data; ``"swap"`` hides what their record says.
        ledger: Where every release is paid from, before the data is read.
        name: The name of the data, if the ledger is for data of one name only.
        columns: What is known about columns without looking at the data: a `Column` for each name, or a file such as
            ``"columns.toml"`` that says it. Questions take from it what they do not say themselves.
        progress: For data behind an engine: a function that is called with a text, which says what is being done, and a
            fraction. When the first pass of a question over the data begins, the fraction is None. When the pass ends,
            it is 1.0. On Spark, fractions of its tasks come in between. Later passes are not reported, because their
            number depends on the records. Another thread than yours may call the function.
        table: The table of a database: ``"visits"``, ``"clinic.visits"`` or ``("clinic", "visits")``.
        query: Instead of a table, a SELECT whose rows are the records. You guarantee that each row is made of one
            record alone, that no record makes it fail, and that it gives the same rows each time.

    Examples:
        >>> staff = nws.Dataset(frame, unit="person_id", contributions=3)
        >>> staff.median("salary", bounds=(0, 500_000), epsilon=0.4)
    """

    @without_frames
    @checked_call("Dataset")
    def __init__(
        self,
        frame: object,
        unit: str | None = None,
        contributions: int | Literal["private"] = 1,
        max_groups: int | None = None,
        neighbors: Neighbors = "add_remove",
        ledger: Payer | None = None,
        *,
        per_group: int | None = None,
        contributions_share: Number | str | None = None,
        contributions_quantile: Number | str | None = None,
        contributions_most: int | None = None,
        name: str | None = None,
        columns: Mapping[str, Column] | str | PathLike[str] | None = None,
        progress: Callable[[str, float | None], None] | None = None,
        table: str | tuple[str, str] | None = None,
        query: str | None = None,
    ) -> None:
        opened = table_of(frame, FirstPass.of(progress), table=table, query=query)
        search = (contributions_share, contributions_quantile, contributions_most)
        self._set(
            opened, unit, contributions, max_groups, per_group, neighbors, ledger, name, columns, *search
        )

    @classmethod
    @without_frames
    @checked_call("scan")
    def scan(
        cls,
        source: str | PathLike[str],
        *,
        format: str | None = None,
        types: Mapping[str, Any] | None = None,
        separator: str | None = None,
        decimal: str = ".",
        encoding: str = "utf-8",
        progress: Callable[[str, float | None], None] | None = None,
        **held: Any,
    ) -> "Dataset":
        """A Dataset of a file, or of several by a pattern, which need not fit in memory.

        Args:
            source: A path or a pattern such as ``"*.csv"``: Parquet, CSV, TSV, Arrow or JSON lines; text may be packed
                by gzip or Zstandard, as ``"x.csv.gz"`` is.
            format: What the file is, if its ending does not say so, such as ``"csv"`` or ``"csv.gz"``.
            types: What columns of a text file are, by their names: ``"number"``, ``"boolean"``, ``"text"``, ``"date"``,
                ``"datetime"``, ``"time"`` or ``"duration"``. Others are read as the question implies. A cell that is
                not of its type is missing.
            separator: What stands between the cells of CSV and TSV, such as ``";"``; by default a comma, or a tab.
            decimal: What stands before the decimals in a text file, ``"."`` or ``","``.
            encoding: How a text file is encoded: UTF-8, UTF-16, or one byte for each character, such as ``"cp1252"``.
            progress: A function that is called with a text, which says what is being done, and a fraction. When the
                first pass of a question over the file begins, the fraction is None. When the pass ends, it is 1.0. For
                text files, and if DuckDB reads Parquet, fractions of the bytes come in between. The size of the file
                decides how often, never its rows. Later passes are not reported, because their number depends on the
                rows.
            held: ``unit``, ``contributions``, ``max_groups``, ``per_group``, ``neighbors``, ``ledger``, ``name`` and
                ``columns`` and the keywords of ``contributions="private"``, as for `Dataset`.

        Examples:
            >>> nws.Dataset.scan("staff.parquet", unit="person_id").median("salary", bounds=(0, 500_000), epsilon=0.4)
        """
        from noisewise.tables.files.scan import scan

        names = ("unit", "contributions", "max_groups", "per_group", "neighbors", "ledger", "name", "columns")
        known = {**signature(cls.scan).parameters, **signature(cls).parameters}
        del known["held"], known["frame"], known["table"], known["query"]
        given = [each.replace(kind=each.KEYWORD_ONLY) for each in known.values()]
        check_call("scan", Signature(given), (), {"source": source, **held})
        defaults = {"contributions": 1, "neighbors": "add_remove"}
        dataset = cls.__new__(cls)
        table = scan(
            source,
            format=format,
            types=types,
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            progress=FirstPass.of(progress),
        )
        if table.is_text and held.get("neighbors") == "swap":
            raise ParameterError(
                "neighbors",
                ("must be ", Words("add_remove"), " for a text file"),
                got=Words("swap"),
                why="a line that cannot be read is no record, so what a record says decides how many there are, "
                "and swap says that their number is public",
            ) from None
        dataset._set(table, *(held.get(name, defaults.get(name)) for name in (*names, *SEARCHED)))
        return dataset

    def _set(
        self,
        table: Table,
        unit: Any,
        contributions: object,
        max_groups: object,
        per_group: object,
        neighbors: object,
        ledger: Payer | None,
        name: object,
        columns: object,
        share: object,
        quantile: object,
        most: object,
    ) -> None:
        if unit is not None and not is_column(unit, table.names):
            raise unknown_column("unit", unit, table.names) from None
        if unit in ("record", "edge", "node"):
            raise ParameterError(
                "unit",
                f"must be another column than {unit!r}, which is what a person is in other data",
                why="rename it",
            ) from None
        if unit is not None and neighbors == "swap":
            raise ParameterError(
                "neighbors",
                ("must be ", Words("add_remove"), " with a unit"),
                got=Words("swap"),
                why="how many records a person has makes the number of records secret, and swap says that it is "
                "public",
            ) from None
        search = ContributionsSearch.of(
            contributions, **dict(zip(SEARCHED, (share, quantile, most), strict=True))
        )
        if search is not None and unit is not None:
            contributions = search.most  # until a limit is found
        self._neighbors, self._contributions = unit_of_privacy(neighbors, contributions)
        self._search = search
        for key, limit in (("max_groups", max_groups), ("per_group", per_group)):
            _check_needs_unit(key, limit, unit)
        check_payer(ledger)
        if name is not None and not isinstance(name, str):
            raise ParameterTypeError("name", "must be text", got=describe(name)) from None
        self._max_groups = None if max_groups is None else whole("max_groups", max_groups, least=1)
        self._per_group = None if per_group is None else whole("per_group", per_group, least=1)
        self._unit, self._ledger, self._name, self._table = unit, ledger, name, table
        self._facts = Facts.of(columns, table.names)
        self._condition: Condition | None = None
        self._salt = fresh_salt()

    def __repr__(self) -> str:
        usual = {
            "name": None,
            "unit": None,
            "contributions": 0,
            "max_groups": None,
            "per_group": None,
            "neighbors": "add_remove",
        }
        shown = [f", {key}={getattr(self, key)!r}" for key in usual if getattr(self, key) != usual[key]]
        shown += [] if self.condition is None else [f", where {self.condition}"]
        names = self._table.names
        return f"<Dataset of {'any' if names is None else len(names)} columns{''.join(shown)}>"

    def _repr_html_(self) -> str:
        """The declarations and the names of the columns, which are public. No record is read."""
        names = self._table.names
        declared = {
            "name": self.name,
            "unit": self.unit,
            "contributions": self.contributions,
            "max_groups": self.max_groups,
            "per_group": self.per_group,
            "neighbors": self.neighbors,
            "ledger": None if self.ledger is None else repr(self.ledger),
            "where": self.condition,
        }
        facts = [(key, str(value)) for key, value in declared.items() if value is not None]
        columns = "any: every name is taken" if names is None else ", ".join(map(str, names))
        return fragment([heading("Dataset", 4), facts_table([*facts, ("columns", columns)])])

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise ParameterTypeError(
            "a Dataset",
            "must stay where it is",
            why="a pickle or a copy would carry its data and its secret salt",
            fix="make a new one of the same frame",
        ) from None

    unit = property(attrgetter("_unit"), doc="The column that names a person.")
    max_groups = property(attrgetter("_max_groups"), doc="In how many groups a person takes part.")
    per_group = property(attrgetter("_per_group"), doc="How many records of a person take part in one group.")
    neighbors = property(attrgetter("_neighbors"), doc="Whom releases protect.")
    ledger = property(attrgetter("_ledger"), doc="Where releases are paid from.")
    name = property(attrgetter("_name"), doc="What the data is called.")

    @property
    def contributions(self) -> int | Literal["private"]:
        """How many records of a person take part, or "private" if each question finds it."""
        return self._contributions if self._search is None else "private"

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The names of the columns. They are public: we assume that they are known without the data.

        None for JSON lines, which declare no names. There every name is a column, missing in lines without it.
        """
        return self._table.names

    @property
    def condition(self) -> str | None:
        """The condition of `where`, which is public. None if all rows take part."""
        return None if self._condition is None else str(self._condition)

    @without_frames
    @checked_call("where")
    def where(self, condition: str) -> "Dataset":
        """The same data with only the rows for which a public condition is true. Each row is decided by itself.

        Args:
            condition: Comparisons of columns with numbers, 'text', true and false by =, !=, <, <=, >, >=, in and
                not in, or by is missing and is not missing; joined by and, or, not and brackets. Dates are text:
                '2024-01-31'. A comparison with a missing value is false. A column with other characters than letters
                goes in double quotes. If the Dataset has a condition already, both must hold.

        Examples:
            >>> staff.where("age >= 18 and region in ('N', 'S')").median("salary", bounds=(0, 500_000), epsilon=0.4)
        """
        read = Condition.read(condition)
        if self.neighbors == "swap":
            raise ParameterError(
                "neighbors",
                ("must be ", Words("add_remove"), " where a condition leaves rows out"),
                got=Words("swap"),
                why="how many rows pass is secret, and swap says that the number of records is public",
            ) from None
        both = read if self._condition is None else self._condition.also(read)
        dataset = Dataset.__new__(Dataset)
        vars(dataset).update(vars(self), _condition=both, _table=self._table.where(both))
        return dataset

    @without_frames
    @checked_call("group_by")
    def group_by(
        self,
        *columns: str,
        keys: object = None,
        epsilon: Any = None,
        rho: Any = None,
        delta: Any = None,
        max_groups: int | None = None,
        per_group: int | None = None,
    ) -> "Grouped":
        """The same questions, answered for each group of rows.

        Args:
            columns: The columns that make the groups.
            keys: The groups, which you know without looking at the data: a list, a list of tuples, a data frame, or a
                dictionary of lists. In a dictionary every combination is a group. Each group gets an answer, even if
                it is empty. Rows of other groups are ignored. By default what the Dataset knows of its ``columns``.
            epsilon: Without keys: the privacy loss of finding out which groups there are.
            rho: The same in zero-concentrated differential privacy, in place of epsilon.
            delta: Without keys: the chance of a loss beyond that.
            max_groups: In how many of these groups one person may take part; by default what the Dataset says.
            per_group: How many records of one person may take part in any one of these groups; by default what the
                Dataset says.

        Examples:
            >>> staff.group_by("dept", keys=["A", "B", "C"]).median("salary", bounds=(0, 500_000), epsilon=0.4)
        """
        from noisewise.dataset.grouped import Grouped

        dataset = self._limited(max_groups=max_groups, per_group=per_group)
        return Grouped.of(dataset, columns, keys=keys, epsilon=epsilon, rho=rho, delta=delta)

    def _limited(self, **limits: int | None) -> "Dataset":
        """The same data with other limits on the groups of a person. A limit that is None stays as it is."""
        given = {name: limit for name, limit in limits.items() if limit is not None}
        if not given:
            return self
        for name, limit in given.items():
            _check_needs_unit(name, limit, self.unit)
        whole_limits = {f"_{name}": whole(name, limit, least=1) for name, limit in given.items()}
        dataset = Dataset.__new__(Dataset)
        vars(dataset).update(vars(self), **whole_limits)
        return dataset

    @without_frames
    @in_one_snapshot
    def agg(
        self,
        *unnamed: object,
        epsilon: Number | str | None = None,
        rho: Number | str | None = None,
        shares: Mapping[str, Number] | None = None,
        interval: Number | str | None = None,
        with_count: Number | str | bool = False,
        **questions: Question,
    ) -> JointRelease:
        """Several questions at once, with one debit for their sum: all are paid, or none.

        Args:
            unnamed: None: every answer has a name.
            epsilon: The privacy loss of all questions together; or else each question has its own.
            rho: The same in zero-concentrated differential privacy, in place of epsilon.
            shares: How the price is divided, as numbers by the names of answers; by default all get the same.
            interval: A confidence such as 0.95, for an interval beside every answer that can have one.
            with_count: True, for a private count beside every answer that can have one, or its share of epsilon.
            questions: Questions by the names of their answers, as `noisewise.ask` writes them down.

        Examples:
            >>> staff.agg(epsilon=1, n=nws.ask.count(), pay=nws.ask.median("salary", bounds=(0, 500_000)))
        """
        check_questions(questions, unnamed, interval, with_count)

        price = price_of_all(epsilon, rho, shares)

        def at(price: Price | None) -> Payable:
            each = priced(questions, price, shares)
            return self._within_limit(
                beside_each(each, self._bind, interval=interval, with_count=with_count),
                lambda dataset, each: Together.of(
                    {name: dataset._bind(question) for name, question in each.items()}
                ),
            )

        return self._answered(list(questions), price, at)

    def _answered(
        self, names: list[str], price: Price | None, at: Callable[[Price | None], Payable]
    ) -> JointRelease:
        """Pay for several questions at once, read the data, draw the answers. ``at`` makes them at a price."""
        together = at(price)
        with Suggesting(price, at):
            release = settle(together, self.payer)
        each = {
            name: replace(answer, people=self.unit, receipt=release.receipt)
            for name, answer in zip(names, release.value, strict=True)
        }
        values = tuple(answer.value for answer in each.values())
        notes = (*release.notes, *self._notes)
        return JointRelease(replace(release, value=values, people=self.unit, notes=notes), each)

    @without_frames
    @checked_call("describe")
    def describe(
        self,
        columns: str | Sequence[str],
        *,
        bounds: Any = None,
        epsilon: Number | str | None = None,
        rho: Number | str | None = None,
        interval: Number | str | None = None,
    ) -> JointRelease:
        """The count, mean, standard deviation and five-number summary of columns of numbers, by one debit.

        Every answer gets the same part of the price: four for each column. Ask by `agg` for what you need, and it is
        more accurate.

        Args:
            columns: The name of a column, or a list of names.
            bounds: The lowest and highest value you know without looking at the data; for several columns a dictionary
                by their names. They may be left out where the Dataset knows them.
            epsilon: The privacy loss of all answers together.
            rho: The same in zero-concentrated differential privacy, in place of epsilon.
            interval: A confidence such as 0.95, for an interval beside every answer that can have one.

        Examples:
            >>> staff.describe(["age", "salary"], bounds={"age": (0, 120), "salary": (0, 500_000)}, epsilon=1)
        """
        asked: dict[str, Any] = {}
        for name in [columns] if isinstance(columns, str) else columns:
            own = bounds.get(name) if isinstance(bounds, Mapping) else bounds
            between = {} if own is None else {"bounds": own}
            asked[f"{name}_count"] = ask.count(name)
            asked[f"{name}_mean"] = ask.mean(name, **between)
            asked[f"{name}_std"] = ask.std(name, **between)
            asked[f"{name}_quartiles"] = ask.five_number_summary(name, **between)
        return self.agg(epsilon=epsilon, rho=rho, interval=interval, **asked)

    @without_frames
    @checked_call("value_counts")
    def value_counts(
        self,
        column: str,
        keys: object = None,
        *,
        epsilon: Number | str | None = None,
        rho: Number | str | None = None,
        interval: Number | str | None = None,
    ) -> "GroupedRelease":
        """How many records have each value of a column, in the order of ``keys``.

        Args:
            column: The name of a column.
            keys: The values, which you know without looking at the data. They may be left out where the Dataset knows
                them. To find out which there are, see `group_by`.
            epsilon: The privacy loss of all counts together.
            rho: The same in zero-concentrated differential privacy, in place of epsilon.
            interval: A confidence such as 0.95, for an interval beside every count.

        Examples:
            >>> staff.value_counts("dept", ["A", "B", "C"], epsilon=0.5)
        """
        return self.group_by(column, keys=keys).count(epsilon=epsilon, rho=rho, interval=interval)

    @without_frames
    @checked_call("sql")
    def sql(
        self,
        text: str,
        *,
        epsilon: Number | None = None,
        rho: Number | None = None,
        shares: Mapping[str, Number] | None = None,
        dialect: str = "duckdb",
        key_epsilon: Number | None = None,
        key_rho: Number | None = None,
        key_delta: Number | None = None,
    ) -> "SqlAnswer | SqlPlan":
        """The answer to a SELECT of aggregates, which asks the questions that the methods ask, at the same price.

        What is known about the columns, such as bounds and groups, comes from the ``columns`` of the Dataset. A
        statement that cannot be asked is refused before anything is paid. Needs the package sqlglot.

        Args:
            text: ``SELECT`` of COUNT, SUM, AVG, MIN, MAX, MEDIAN, QUANTILE, PERCENTILE_CONT, PERCENTILE_DISC,
                APPROX_QUANTILE, VAR_POP, STDDEV_POP and CORR, with ``FILTER`` and ``AS``; ``FROM`` one table;
                ``WHERE``; ``GROUP BY`` columns; ``ORDER BY`` and ``LIMIT``, which work on the answer. ``EXPLAIN
                SELECT`` says what it would cost, and costs nothing.
            epsilon: The privacy loss of the whole statement, except that of a search for groups.
            rho: The same in zero-concentrated differential privacy, in place of epsilon.
            shares: How the price is divided, as numbers by the names of aggregates; by default all get the same.
            dialect: The dialect of the text, as sqlglot names it.
            key_epsilon: The privacy loss of finding the groups, if the ``columns`` do not say them.
            key_rho: The same in rho.
            key_delta: The chance of a loss beyond that.

        Examples:
            >>> staff.sql("SELECT dept, MEDIAN(salary) AS pay FROM staff WHERE age >= 18 GROUP BY dept", epsilon=1)
        """
        if find_spec("sqlglot") is None:
            raise SchemaError("sql", "needs the package sqlglot", extra=install("sql")) from None
        from noisewise.dataset.sql.sql_answer import SqlQuestions

        search = {"epsilon": key_epsilon, "rho": key_rho, "delta": key_delta}
        asked = SqlQuestions.of(self, text, dialect, price_of(epsilon, rho), shares, search)
        return asked.plan() if asked.statement.explained else asked.answer()

    @in_one_snapshot
    def _ask(self, question: Question) -> Release:
        """Check the question, pay, read the data, draw the answer."""
        payable = self._bind(question)
        with Suggesting(question.typed_price, lambda price: self._bind(question.at(price))):
            return replace(settle(payable, self.payer), people=self.unit)

    def _bind(self, question: Question) -> Payable:
        """The question about this table. Nothing is paid yet; whatever can be refused is refused here."""
        if self._search is not None and not _counts_once(question):
            return self._within_limit(
                {question.name: question}, lambda dataset, each: dataset._bind(each[question.name])
            )
        question, known = self._facts.filled(question)
        timed = translate(question.paid_from(self.ledger), self._table)
        choice, owned = self.choice, self._contributions
        if question.can.people:
            if choice is None:
                raise ParameterError(
                    "unit",
                    f"must be given to count people by {question.name}",
                    why="only it tells how many different persons there are",
                ) from None
            choice, owned = replace(choice, contributions=1), 1
        if (total := question.total) is not None:
            choice, owned = of_totals(choice, total, 1), 1
        data = data_of(timed.question, timed.table, choice)
        timed.question.check()
        payable = timed.question.bind(data, neighbors=self.neighbors, contributions=owned)
        notes = (*known, *notes_on(timed), *self._notes)
        return OfColumns(
            in_time(payable, timed.clock),
            question.about,
            notes=notes,
            labels=self._facts.labels(question.about),
            total=total,
        )

    def _within_limit(
        self, questions: Mapping[str, Question], bind: "Callable[[Dataset, dict[str, Question]], Payable]"
    ) -> Payable:
        """The questions, bound by ``bind``. If contributions are private, a part of their price finds the limit."""
        if self._search is None or all(map(_counts_once, questions.values())):
            return bind(self, dict(questions))
        for question in questions.values():
            self._facts.filled(question)[0].check()
            check_named(question.keywords.get("mechanism", "auto"), "contributions are ", Words("private"))
        prices = {name: exact_price(question.typed_price) for name, question in questions.items()}
        return self._after_search(
            sum_of_prices(prices),
            lambda dataset, share: bind(
                dataset, {name: question.at(share * prices[name]) for name, question in questions.items()}
            ),
        )

    def _after_search(self, price: Price, bind: "Callable[[Dataset, Fraction], Payable]") -> Payable:
        """A search for the limit, and what ``bind`` makes with the limit and the share of the price that is left."""
        search, choice = self._search, self.choice
        assert search is not None, "contributions are private"
        assert choice is not None, "and there is a unit"
        return search.before(
            self._table.rows(of_totals(choice, Total("count"), 1)),
            price,
            mechanism_for("auto", self.ledger),
            lambda limit: bind(self._at_most(limit), 1 - search.share),
        )

    def _at_most(self, limit: int) -> "Dataset":
        """The same data with a limit that is known."""
        dataset = Dataset.__new__(Dataset)
        vars(dataset).update(vars(self), _contributions=limit, _search=None)
        return dataset

    @property
    def _notes(self) -> tuple[str, ...]:
        """The notes on every receipt: which rows take part, and which column may name people, by its name alone."""
        named = [
            name for name in self.columns or () if self.unit is None and NAMES_PEOPLE.fullmatch(str(name))
        ]
        people = [
            f"the column {name} may name people: unit={name!r} would choose their records" for name in named
        ]
        return (*([] if self.condition is None else [f"only rows where {self.condition}"]), *people[:1])

    @property
    def choice(self) -> Choice | None:
        """How records of each person are chosen, which is secret. None without a unit."""
        if self.unit is None:
            return None
        return Choice(self.unit, self._contributions, None, self._salt)

    @property
    def payer(self) -> "DatasetPayer | None":
        """The payer of this Dataset's releases. None without a ledger."""
        return (
            None if self.ledger is None else DatasetPayer(self.ledger, self.unit, self.name, self.condition)
        )


def _counts_once(question: Question) -> bool:
    """Whether each person has one record, so that there is no limit to find."""
    return question.can.people or question.total is not None


def _check_needs_unit(name: str, limit: object, unit: str | None) -> None:
    """Refuse a limit on the groups of a person, or on the records in one of them, if nobody knows who a person is."""
    if limit is not None and unit is None:
        things = "groups" if name == "max_groups" else "records"
        raise ParameterError(
            name,
            "must be left out without a unit",
            got=describe(limit),
            why=f"it is kept by choosing among the {things} of each person, whom only a unit column names",
        ) from None


@dataclass(frozen=True, slots=True)
class DatasetPayer:
    """A ledger, and the facts that each debit records: the column of people, the name of the data, the condition, and
    in groups the most records of a person in one of them."""

    ledger: Payer
    unit: str | None
    name: str | None
    condition: str | None = None
    per_group: int | None = None

    def debit(self, loss: Loss, **keywords: Any) -> Any:
        if self.condition is not None:
            keywords["memo"] = f"{keywords['memo']}, where {self.condition}"
        keywords |= {key: value for key in ("unit", "name") if (value := getattr(self, key)) is not None}
        if self.per_group is not None and isinstance(self.ledger, Ledger):  # other payers need not know of it
            keywords["per_group"] = self.per_group
        return self.ledger.debit(loss, **keywords)
