"""The types of the methods that ask questions. For type checkers alone: nothing imports it at run time.

`Methods` has a line for each question, which ``python -m scripts.registered`` writes.
"""

from collections.abc import Callable, Sequence
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from noisewise.dataset.methods import Ask
from noisewise.kernel.numbers.exact import Number
from noisewise.questions.question import Question
from noisewise.results.release import Release

# imports, written by scripts/registered.py
from noisewise.questions.functions import categories as _categories
from noisewise.questions.functions import graphs as _graphs
from noisewise.questions.functions import means as _means
from noisewise.questions.functions import metrics as _metrics
from noisewise.questions.functions import order as _order
from noisewise.questions.functions import pairs as _pairs
from noisewise.questions.functions import spread as _spread
from noisewise.questions.functions import vectors as _vectors
# until here

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
C = TypeVar("C", contravariant=True)
D = TypeVar("D", contravariant=True)

class Asked(Protocol[C, P, R]):
    """A method as it is called. What the Dataset knows about its columns may be left out."""

    @overload
    def __call__(self, column: C, /, *arguments: P.args, **keywords: P.kwargs) -> R: ...
    @overload
    def __call__(
        self,
        column: C,
        /,
        *arguments: Any,
        epsilon: Number | None = ...,
        rho: Number | None = ...,
        interval: Number | None = ...,
        with_count: bool | Number | str = ...,
    ) -> R: ...

class AskedOfTwo(Protocol[C, D, P, R]):
    """A method about two columns as it is called."""

    @overload
    def __call__(self, first: C, second: D, /, *arguments: P.args, **keywords: P.kwargs) -> R: ...
    @overload
    def __call__(
        self,
        first: C,
        second: D,
        /,
        *arguments: Any,
        epsilon: Number | None = ...,
        rho: Number | None = ...,
        interval: Number | None = ...,
        with_count: bool | Number | str = ...,
    ) -> R: ...

class Method(Generic[C, P]):
    """The type of a method about one column, or one list of them."""

    @overload
    def __get__(self, instance: None, owner: type) -> Callable[..., Any]: ...
    @overload
    def __get__(self, instance: Ask, owner: type) -> Callable[Concatenate[C, ...], Question]: ...
    @overload
    def __get__(self, instance: Methods[R], owner: type) -> Asked[C, P, R]: ...

class MethodOfTwo(Generic[C, D, P]):
    """The type of a method about two columns, or a list of them and one more."""

    @overload
    def __get__(self, instance: None, owner: type) -> Callable[..., Any]: ...
    @overload
    def __get__(self, instance: Ask, owner: type) -> Callable[Concatenate[C, D, ...], Question]: ...
    @overload
    def __get__(self, instance: Methods[R], owner: type) -> AskedOfTwo[C, D, P, R]: ...

class MethodOfAny(Generic[P]):
    """The type of a method whose column may be left out."""

    @overload
    def __get__(self, instance: None, owner: type) -> Callable[..., Any]: ...
    @overload
    def __get__(self, instance: Methods[R], owner: type) -> Callable[..., R]: ...

def of_column(function: Callable[Concatenate[Any, P], Release]) -> Method[str, P]:
    """A question about one column."""

def of_any(function: Callable[Concatenate[Any, P], Release]) -> MethodOfAny[P]:
    """A question about one column, or about all rows where none is named."""

def of_columns(function: Callable[Concatenate[Any, Any, P], Release]) -> MethodOfTwo[str, str, P]:
    """A question about two columns of numbers, row by row."""

def of_list(function: Callable[Concatenate[Any, P], Release]) -> Method[Sequence[str], P]:
    """A question about several columns of numbers, or about a graph whose edges are in two columns."""

def of_list_and_column(
    function: Callable[Concatenate[Any, Any, P], Release],
) -> MethodOfTwo[Sequence[str], str, P]:
    """A question about several columns of numbers and one more."""

class Methods(Generic[R]):
    """Every question as a method."""

    # lines, written by scripts/registered.py
    accuracy = of_columns(_metrics.accuracy)
    auc = of_columns(_metrics.auc)
    count = of_any(_means.count)
    count_distinct = of_column(_categories.count_distinct)
    count_interval = of_any(_means.count_interval)
    count_people = of_any(_means.count_people)
    covariance = of_list(_vectors.covariance)
    crosstab = of_list(_categories.crosstab)
    degree_quantile = of_list(_graphs.degree_quantile)
    ecdf = of_column(_order.ecdf)
    f1 = of_columns(_metrics.f1)
    five_number_summary = of_column(_order.five_number_summary)
    gini = of_column(_spread.gini)
    histogram = of_column(_categories.histogram)
    huber_mean = of_column(_means.huber_mean)
    iqr = of_column(_spread.iqr)
    linear_regression = of_list_and_column(_vectors.linear_regression)
    log_loss = of_columns(_metrics.log_loss)
    mad = of_column(_spread.mad)
    mae = of_columns(_metrics.mae)
    max = of_column(_order.max)
    mean = of_column(_means.mean)
    mean_interval = of_column(_means.mean_interval)
    median = of_column(_order.median)
    median_interval = of_column(_order.median_interval)
    min = of_column(_order.min)
    most_common = of_column(_categories.most_common)
    mse = of_columns(_metrics.mse)
    pearson = of_columns(_pairs.pearson)
    principal_component = of_list(_vectors.principal_component)
    private_bounds = of_column(_order.private_bounds)
    proportion = of_column(_means.proportion)
    proportion_interval = of_column(_means.proportion_interval)
    quantile = of_column(_order.quantile)
    quantile_interval = of_column(_order.quantile_interval)
    quantiles = of_column(_order.quantiles)
    r2 = of_columns(_metrics.r2)
    range = of_column(_spread.range)
    rate = of_columns(_means.rate)
    ratio = of_columns(_means.ratio)
    rmse = of_columns(_metrics.rmse)
    spearman = of_columns(_pairs.spearman)
    spread = of_column(_spread.spread)
    std = of_column(_spread.std)
    sum = of_column(_means.sum)
    theil_sen = of_columns(_pairs.theil_sen)
    triangles = of_list(_graphs.triangles)
    trimmed_mean = of_column(_means.trimmed_mean)
    variance = of_column(_spread.variance)
    vector_mean = of_list(_vectors.vector_mean)
    weighted_mean = of_columns(_means.weighted_mean)
    winsorized_mean = of_column(_means.winsorized_mean)
    # until here
