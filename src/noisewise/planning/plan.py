"""How good will a release be? A plan says so before the release, without touching the private data.

`plan` gives a guarantee that holds whatever the data is. If noise is the same for all data, the guarantee is a distance
in the unit of the answer. Otherwise it counts people: how many would have to change their data for the true answer to
become the released one. A public guess of what the records are like gives a distance, too. goal.py has the inverse.
Proof: docs/proofs/planning.md.
"""

from collections.abc import Mapping, Sized
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any, NamedTuple, Unpack, overload

from noisewise.errors import ParameterError
from noisewise.kernel.mechanisms import Gaussian, Laplace
from noisewise.kernel.numbers.exact import Number, whole
from noisewise.kernel.prices import Price, Rho, said
from noisewise.planning.asked import NO_CAPS, AnyQuestion, Asked, Caps, Said, several
from noisewise.planning.distances import about, distance, up
from noisewise.planning.error_on_data import on_shape
from noisewise.planning.plan_table import Plans, Sweep, price_text, prices_of, promised
from noisewise.planning.shapes import Shape, Shaped
from noisewise.questions.choice import note_on_saving, times_smaller
from noisewise.questions.found_contributions import ContributionsSearch
from noisewise.questions.keywords import Priced, PricedOrPrivate, with_open_signature
from noisewise.questions.payable import Payable
from noisewise.questions.promise import counted, of_any, sure
from noisewise.questions.question import Question
from noisewise.questions.request import Request
from noisewise.questions.terms import exact_confidence
from noisewise.results.pictures.html import Markup, drawing, fragment, heading, paragraph
from noisewise.results.pictures.svg import Picture
from noisewise.statistics import Statistic

CONFIDENCE = Fraction(95, 100)

NOTHING = (
    "how far it is off depends on the data: give a size and a shape that are public or a guess, or try it on public "
    "data by simulate"
)

FACTORS = tuple(Fraction(*ratio) for ratio in ((1, 10), (1, 5), (1, 2), (1, 1), (2, 1), (5, 1), (10, 1)))
"""The picture of a plan shows these multiples of its price."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How good a release will be. Each promise below holds with probability ``confidence``.

    Attributes:
        statistic: The question that will be asked.
        mechanism: The mechanism that will draw the answer.
        epsilon: The epsilon that the release will cost. None if it is priced in rho.
        confidence: The probability that the guarantee holds.
        people: At most this number of people would have to change their data for the true value to become the released
            one. This holds for each of several values. None for Laplace or Gaussian noise, which does not depend on
            what people can do, and None if no such number is known.
        error: The release is at most this far from the true answer, whatever the data, in the unit of the answer. This
            holds for each of several numbers, but not for all at once. A timedelta if answers are dates, times or
            durations. None if no such distance is public.
        attained: Whether that many people really could move the answer that far. Otherwise ``people`` is only a bound.
        numbers: How many numbers the answer has.
        error_of_all: All numbers at once are at most this far off.
        behind: The released category has at most this number of records fewer than the most common one.
        size: How many records were assumed.
        shape: What the records were assumed to be like, in words.
        shape_error: The release of such records is at most this far from their true answer.
        shape_mean_error: How far the release of such records is from their true answer on average.
        sentence: Further promises, in words.
        groups: The number of groups. The promise holds for each group, but not for all at once. It counts records, as
            each group is answered by the law of single records. All groups together cost the price.
        wide: Says that the answer could be anywhere within its bounds, if that follows from public facts. The receipt
            will say so, too.
        people_of_all: In all groups at once, at most this number of records would have to change in each group.
        count_error: The count beside the answer is at most this far off; None without a count.
        rho: The rho that the release will cost. None if it is priced in epsilon.
        saving: Says what it would save if no person counted more than once in a group. Empty if nothing.
    """

    statistic: str
    mechanism: str
    epsilon: Fraction | None
    confidence: Fraction
    people: int | None
    error: Any
    attained: bool
    numbers: int = 1
    error_of_all: Any = None
    behind: int | None = None
    size: int | None = None
    shape: str | None = None
    shape_error: Any = None
    shape_mean_error: Any = None
    sentence: str = ""
    groups: int | None = None
    people_of_all: int | None = None
    wide: str = ""
    count_error: int | None = None
    rho: Fraction | None = None
    saving: str = ""
    asked: "tuple[Asked, Assumed] | None" = field(default=None, compare=False, repr=False)
    """The question of this plan, for `plot`; None in a copy that was pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        known = [getattr(self, each.name) for each in fields(self) if each.name != "asked"]
        return Plan, tuple(known)

    @property
    def price(self) -> Price:
        """The price of the release: an epsilon or a rho."""
        if self.epsilon is not None:
            return self.epsilon
        assert self.rho is not None, "a plan has one price"
        return Rho(self.rho)

    def plot(self) -> Picture:
        """A picture of what is promised at other prices, from a tenth of this plan's price to ten times it."""
        if self.asked is None:
            raise ParameterError(
                "plot", "must be asked of a plan that was just made", fix="use sweep"
            ) from None
        asked, assumed = self.asked
        plans = []
        for factor in FACTORS:
            try:
                plans.append(planned(asked.at_price(asked.price * factor), assumed))
            except ParameterError:  # this price is too large or too small
                continue
        return Sweep(tuple(map(prices_of, plans)), tuple(plans)).plot()

    def _repr_html_(self) -> str:
        return fragment([heading(self.statistic, 4), paragraph(str(self)), *self._drawn()])

    def _drawn(self) -> list[Markup]:
        """The picture of this plan for a notebook, or nothing if its promises cannot be drawn."""
        if self.asked is None or not promised(self):
            return []
        return [drawing(self.plot())]

    def __str__(self) -> str:
        head = f"{self.statistic} by {self.mechanism} at {price_text(self)}"
        if self.groups is not None:
            head += f" in each of {counted(self.groups, 'group')}"
        said = [*self._whatever_the_data(), *self._for_the_shape(), *([self.wide] if self.wide else [])]
        if not said:
            said = [NOTHING]
        if self.count_error is not None:
            said.append(f"{sure(self.confidence)} the count beside it is at most {self.count_error:,} off")
        if self.saving:
            said.append(self.saving)
        return f"{head}: {'; '.join(said)}"

    def _whatever_the_data(self) -> list[str]:
        """Sentences about the promises that hold for all data."""
        surely, many = sure(self.confidence), self.numbers * (self.groups or 1)
        said = [self.sentence] if self.sentence else []
        if self.error is not None:
            each = "each number is " if self.numbers > 1 else ""
            any_size = self.size is None or self.mechanism in (Gaussian.name, Laplace.name)
            at_size = "" if any_size else f" of {self.size:,} records"
            said.append(f"{surely} {each}at most {up(self.error)} from the true answer{at_size}")
        if self.error_of_all is not None and many > 1:
            said.append(f"{surely} all {many:,} are at most {up(self.error_of_all)} off")
        if self.behind is not None:
            fewer = counted(self.behind, "record")
            said.append(f"{surely} the category has at most {fewer} fewer than the most common one")
        if self.people is not None:
            one, several = ("person", "people") if self.groups is None else ("record", "records")
            crowd = counted(self.people, one, several)
            value = "the released value" if self.numbers == 1 else "each released value"
            said.append(
                f"{surely} at most {crowd} separate {value} from the true one"
                if self.attained
                else f"{surely} {value} is within what {crowd} could at most do by our bound"
            )
        if self.people_of_all is not None and (self.groups or 1) > 1:
            said.append(f"{surely} at most {self.people_of_all:,} in all groups at once")
        return said

    def _for_the_shape(self) -> list[str]:
        """Sentences about the error for records of the assumed shape."""
        if self.shape_error is None or self.shape_mean_error is None:
            return []
        return [
            f"on {self.size:,} records like {self.shape} {sure(self.confidence)} at most {up(self.shape_error)} off, "
            f"{about(self.shape_mean_error)} on average"
        ]


@overload
def plan(
    statistic: Statistic,
    *,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    per_group: int | None = ...,
    max_groups: int | None = ...,
    **keywords: Unpack[PricedOrPrivate],
) -> Plan: ...
@overload
def plan(
    statistic: AnyQuestion,
    *arguments: Any,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    per_group: int | None = ...,
    max_groups: int | None = ...,
    **keywords: Any,
) -> Plan: ...
@overload
def plan(
    statistic: Mapping[str, Said] | list[Question] | tuple[Question, ...],
    *,
    confidence: Number = ...,
    size: int | None = ...,
    shape: Shape | None = ...,
    groups: int | Sized | None = ...,
    per_group: int | None = ...,
    max_groups: int | None = ...,
    shares: Mapping[str, Number] | None = ...,
    **keywords: Any,
) -> Plans: ...
@with_open_signature
def plan(
    statistic: Said | Mapping[str, Said] | list[Question] | tuple[Question, ...],
    *arguments: Any,
    confidence: Number = CONFIDENCE,
    size: int | None = None,
    shape: Shape | None = None,
    groups: int | Sized | None = None,
    per_group: int | None = None,
    max_groups: int | None = None,
    shares: Mapping[str, Number] | None = None,
    **keywords: Unpack[Priced],
) -> Plan | Plans:
    """How good a release with these parameters will be, without looking at the private data.

    If noise is the same for all data, as for counts, sums and histograms, the plan gives a distance in the unit of the
    answer. Otherwise it counts people with up to ``contributions`` records each: how many would have to change their
    data for the true answer to become the released one. A coarser granularity needs fewer people. A ``shape`` is a
    public guess of what the records are like. With a shape, the plan gives a distance, too.

    Args:
        statistic: What will be asked: a name such as ``"median"``, a function such as ``nws.median``, a statistic such
            as ``Quantile("1/2")``, or a question such as ``ask.median("salary", ...)``. For several questions, a
            dictionary or a list as for `agg`. Their plans are a table, and ``epsilon`` or ``rho`` is that of all
            together.
        arguments: The question's own arguments, such as the q of a quantile; they may be given by name as well.
        confidence: The probability that the guarantee holds.
        size: How many records there are, if that is public, or a guess. It is needed for the error of a mean, with a
            shape, and under swap, where the noise may depend on it. For a graph it is the number of nodes.
        shape: What the records are like, public or a guess: ``("normal", 40, 12)``, ``("lognormal", 10.5, 0.6)``,
            ``("uniform", 0, 100)``, or a public sample of numbers.
        groups: The number of groups, or the groups, if it is asked in groups. All groups cost the price together, and
            ``size`` and ``shape`` are those of one group.
        per_group: The most records of one person in one group, if there are groups. A price in rho buys smaller noise
            then; without it, all ``contributions`` may be in one group.
        max_groups: The most groups of one person, if there are groups.
        shares: For several questions, how the price is divided, by the names of answers; by default all get the same.

    Examples:
        >>> print(nws.plan("median", bounds=(0, 1_000_000), epsilon=1))
        >>> print(nws.plan("count", rho=0.5, groups=200, contributions=20, per_group=1))
        >>> print(nws.plan({"n": nws.ask.count(epsilon=0.1), "pay": nws.ask.mean("pay", bounds=(0, 9), epsilon=1)}))
        >>> print(nws.plan(nws.mean, bounds=(0, 100), epsilon=1, size=1000, shape=("normal", 40, 12)))
    """
    assumed = Assumed.of(confidence, size, shape, groups, (per_group, max_groups))
    if not isinstance(statistic, (Mapping, list, tuple)):
        return planned(Asked.of("plan", statistic, arguments, keywords, confidence, shares), assumed)
    each = several("plan", statistic, arguments, keywords, shares, confidence)
    names = tuple(each) if isinstance(statistic, Mapping) else ("",) * len(each)
    return Plans(names, tuple(planned(asked, assumed) for asked in each.values()))


class Assumed(NamedTuple):
    """The assumptions of a plan, which it takes in addition to the question."""

    confidence: Fraction
    size: int | None = None
    shape: Shaped | None = None
    groups: int | None = None
    caps: Caps = NO_CAPS

    @classmethod
    def of(
        cls,
        confidence: object,
        size: object,
        shape: object,
        groups: object,
        caps: tuple[object, object] = NO_CAPS,
    ) -> "Assumed":
        """Check the assumptions that the user typed."""
        number = len(groups) if isinstance(groups, Sized) else groups
        several = None if groups is None else whole("groups", number, least=1)
        return cls(
            exact_confidence(confidence),
            None if size is None else whole("size", size, least=0),
            None if shape is None else Shaped.of(shape),
            several,
            Caps.of(*caps, several),
        )

    def payable(self, asked: Asked) -> Payable:
        """The question that a release would ask, without data."""
        payable = asked.without_data(self.size)
        noise = isinstance(payable, Request) and isinstance(payable.mechanism, (Gaussian, Laplace))
        if noise and self.size is None and payable.neighbors == "swap" and not asked.of_graph:
            raise ParameterError(
                "size", f"must be given for {payable.name} under swap, where n is public", got="None"
            ) from None
        return payable

    def in_group(self, asked: Asked) -> Asked:
        """The question that a release answers. In groups it protects single records."""
        return asked if self.groups is None else asked.of_one_record(self.caps)


def planned(asked: Asked, assumed: Assumed) -> Plan:
    """The plan of a question that was checked."""
    search = ContributionsSearch.of(asked.keywords.get("contributions"))
    return _planned(asked, assumed) if search is None else _after_search(asked, assumed, search)


def _after_search(asked: Asked, assumed: Assumed, search: ContributionsSearch) -> Plan:
    """The plan of a question whose contributions are found first. It promises what holds whatever limit is found."""
    price = asked.price
    spend, rest = search.parts(price)
    one, widest = (
        _planned(asked.at(contributions=limit).at_price(rest), assumed) for limit in (1, search.most)
    )
    off = (
        ""
        if widest.error in (None, one.error)
        else f"; with contributions=1 it is at most {up(one.error)} off"
    )
    finds = (
        f"{said(spend)} of this finds contributions, which are not known yet: at most {search.most:,}, for which this "
        f"plan holds{off}"
    )
    return replace(
        widest,
        epsilon=None if isinstance(price, Rho) else price,
        rho=price.rho if isinstance(price, Rho) else None,
        sentence="; ".join(filter(None, (widest.sentence, finds))),
        asked=(asked, assumed),
    )


def _planned(asked: Asked, assumed: Assumed) -> Plan:
    """The plan of a question whose contributions are known."""
    confidence, size, shape, groups, caps = assumed
    clock, price, each = asked.clock, asked.price, assumed.in_group(asked)
    payable = assumed.payable(each)
    alone, at_once = payable.alone, None
    promise = alone.promise(1 - confidence, size)
    if groups is not None:  # groups are drawn independently of each other
        at_once = alone.promise(of_any(1 - confidence, groups), size)
    typical = None if shape is None else on_shape(each, shape, size, confidence)
    every = promise.error_of_all if at_once is None else at_once.error_of_all or at_once.error
    over = promise.over_total
    over_total = "" if over is None else over.said(lambda far: up(distance(far, clock)))
    return Plan(
        statistic=alone.name,
        mechanism=promise.mechanism,
        epsilon=None if isinstance(price, Rho) else price,
        confidence=confidence,
        people=promise.people,
        error=distance(promise.error, clock),
        attained=promise.attained,
        numbers=promise.numbers,
        error_of_all=distance(every, clock),
        behind=promise.behind,
        size=size if typical is None else typical.size,
        shape=None if shape is None else str(shape),
        shape_error=None if typical is None else distance(typical.error, clock),
        shape_mean_error=None if typical is None else distance(typical.mean, clock),
        sentence="; ".join(filter(None, (promise.sentence, over_total))),
        groups=groups,
        people_of_all=None if at_once is None else at_once.people,
        wide=promise.wide,
        count_error=payable.count_error(1 - confidence),
        rho=price.rho if isinstance(price, Rho) else None,
        saving=""
        if groups is None
        else note_on_saving(
            times_smaller(
                each.price, asked.of_one_record(caps._replace(per_group=1)).price, promise.mechanism
            )
        ),
        asked=(asked, assumed),
    )
