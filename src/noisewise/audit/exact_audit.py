"""The exact audit: find the largest loss between neighbours by exact probabilities.

If there are few small datasets, all pairs of neighbours are tried. Otherwise a search chooses pairs.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

import numpy as np

from noisewise.audit.draws import log_ratios
from noisewise.audit.pair_search import PairSearch, Progress
from noisewise.audit.result import Audit, Audits
from noisewise.audit.subjects import (
    Subject,
    default_keywords,
    every_kind,
    subject_of_laws,
    subject_of_question,
)
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.numbers.exact import Number, describe, whole
from noisewise.kernel.numbers.exact import exact as exact_number
from noisewise.questions.question import Kind

OF_LAWS = ("neighbors", "contributions", "ranged")
RELATIONS = ("add_remove", "swap")


def exact(
    question: Any,
    *arguments: Any,
    epsilon: Number | None = None,
    rho: Number | None = None,
    records: int | None = None,
    values: int | Iterable[Any] | None = None,
    answers: int | None = None,
    seconds: float | None = None,
    tries: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    **keywords: Any,
) -> Audit:
    """Audit a question by exact probabilities: search neighbouring datasets for the largest loss.

    In a small world all pairs of neighbours are looked at. In a larger one, of up to some 40 records and 1,000 answers,
    a climb begins at shapes that are hard to protect. Ball arithmetic encloses the loss of the worst pair, so that the
    numbers reported are certain. None of your data is read.

    Args:
        question: A name such as "median", a function such as ``nws.median``, a statistic such as ``Quantile("1/2")``,
            ``ask.median(...)``. Or your own mechanism: a function that takes a list of records and returns a dictionary
            with the probability or the weight of each outcome, as exact numbers, floats or balls.
        arguments: The question's own, such as the q of a quantile.
        epsilon: The epsilon to ask with, or the epsilon that your own mechanism claims.
        rho: In place of epsilon, a price in zCDP. The loss is then the largest Rényi divergence over its order, of
            orders from 1.05 to 60, and of Gaussian noise before it is clamped.
        records: The number of records of the largest dataset, by default 4; for a graph, the number of nodes.
        values: How many different values records have, by default 5, or a list of them.
        answers: How many different answers there are, instead of a granularity.
        seconds: How long to search if there are too many pairs to look at all.
        tries: How many pairs to look at in that case, by default 2,000 unless seconds are given.
        seed: The seed of the search.
        progress: A function that is called now and then with the number of pairs looked at, the number of all pairs if
            it is known, and the loss of the last pair.
        keywords: The question's other keywords: bounds, granularity, neighbors, contributions, mechanism and so on.

    Returns:
        An `Audit`: ``passed``, ``loss``, ``range``, ``pair``, ``frame``, ``plot()``.

    Examples:
        >>> nws.audit.exact("median", bounds=(0, 100), epsilon=1, answers=6)
        >>> nws.audit.exact("mean", bounds=(0, 999), epsilon=1, granularity=1, records=40, values=1000, seconds=60)
    """
    if is_own_function(question):
        if unknown := [name for name in keywords if name not in OF_LAWS]:
            raise ParameterTypeError(
                unknown[0], "must be left out for your own mechanism", got=describe(keywords[unknown[0]])
            ) from None
        subject = subject_of_laws(
            question, values=values, epsilon=epsilon, rho=rho, records=records, **keywords
        )
    else:
        subject = subject_of_question(
            "audit.exact",
            question,
            arguments,
            {**keywords, "epsilon": epsilon, "rho": rho},
            records=records,
            values=values,
            answers=answers,
        )
    return audited(subject, seconds=seconds, tries=tries, seed=seed, progress=progress)


def every(
    *,
    epsilon: Number = 1,
    records: int = 2,
    mechanisms: Sequence[str] = ("auto",),
    progress: Callable[[Audit], None] | None = None,
    **searched: Any,
) -> Audits:
    """Audit all questions, your own included, in small worlds, for add/remove and for swap.

    Args:
        epsilon: The epsilon to ask with.
        records: The number of records of the largest dataset; graphs have one node more.
        mechanisms: The mechanisms to ask by. Each question is asked only by those that it can take.
        progress: A function that is called with each `Audit` when it is done.
        searched: ``seconds``, ``tries`` and ``seed``, as in `exact`.
    """
    audits: list[Audit] = []
    seen = set()
    for kind, neighbors, mechanism in product(every_kind(), RELATIONS, mechanisms):
        subject = default_subject(kind, neighbors, epsilon, records, mechanism)
        if subject is not None and (law := (kind.name, neighbors, subject.mechanism)) not in seen:
            seen.add(law)  # a mechanism that "auto" chooses is audited once
            audits.append(audited(subject, **searched))
            if progress is not None:
                progress(audits[-1])
    return Audits(tuple(audits))


def default_subject(
    kind: Kind, neighbors: str, epsilon: Number = 1, records: int = 2, mechanism: str = "auto"
) -> Subject | None:
    """Return a question with default parameters about small datasets. Return None if it cannot be asked in this way."""
    named = mechanism != "auto"
    if named and "mechanism" not in kind.parameters.parameters:
        return None
    given: dict[str, Any] = {
        "epsilon": epsilon,
        "neighbors": neighbors,
        **({"mechanism": mechanism} if named else {}),
    }
    try:
        keywords = default_keywords(kind, **given)
    except ParameterError as refusal:
        if named or (neighbors == "swap" and refusal.what == "neighbors"):
            return None
        raise
    size = max(records + 1, 3) if "edges" in kind.capabilities.columns else records
    return subject_of_question("audit", kind.name, (), keywords, records=size)


def audited(
    subject: Subject,
    *,
    seconds: float | None = None,
    tries: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Audit:
    """Search for the pair of neighbours with the largest loss, and return the audit that reports it."""
    limit = None if seconds is None else float(exact_number("seconds", seconds))
    if limit is not None and limit <= 0:
        raise ParameterError("seconds", "must be above 0", got=describe(seconds)) from None
    search = PairSearch(
        subject,
        limit,
        None if tries is None else whole("tries", tries, least=1),
        whole("seed", seed, least=0),
        progress,
    )
    result = search.run()
    worst = result.worst
    return Audit(
        question=subject.name,
        mechanism=subject.mechanism,
        claimed=subject.claimed,
        ranged=subject.ranged,
        neighbors=subject.neighbors,
        loss=result.loss,
        range=result.range,
        pair=worst.pair,
        outcome=search.draws(worst.pair[0]).values(worst.worst.path),
        datasets=result.datasets,
        pairs=result.pairs,
        every=result.every,
        curve=_curve(search, worst.pair),
        order=worst.worst.order,
    )


def _curve(search: PairSearch, pair: Any) -> tuple[tuple[float, float], ...]:
    """Return the log ratio of each outcome of the first draw. Of several laws, use the law with the largest ratio."""
    near, far = map(search.draws, pair)
    ours, theirs = near.laws(()), far.laws(())
    if not ours or not theirs or len(ours) != len(theirs):
        return ()
    best: tuple[tuple[float, float], ...] = ()
    height = -1.0
    for index in range(len(ours)):
        outcomes, ratio, _ = log_ratios(near, far, (), index)
        places = (
            outcomes if all(isinstance(each, (int, float)) for each in outcomes) else range(len(outcomes))
        )
        top = float(np.max(np.abs(np.nan_to_num(ratio, posinf=0, neginf=0)), initial=0.0))
        if top > height:
            best, height = tuple((float(x), float(y)) for x, y in zip(places, ratio, strict=True)), top
    return best


def is_own_function(question: Any) -> bool:
    """Whether a question is the user's own function, and not a function or statistic of the library."""
    return callable(question) and not isinstance(question, type) and not hasattr(question, "kind")
