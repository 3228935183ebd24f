"""Questions about predictions: how well a model does on test data that is private."""

from typing import Unpack

from noisewise.kernel.numbers.exact import Number
from noisewise.questions.keywords import Bounded, Unbounded
from noisewise.questions.question import Binding, Capabilities, question_of_two
from noisewise.questions.request import of_statistic
from noisewise.statistics.auc import AUC
from noisewise.statistics.f1 import F1
from noisewise.statistics.r2 import R2
from noisewise.statistics.row_losses import MAE, MSE, RMSE, Accuracy, LogLoss

OF_PREDICTIONS = Capabilities(
    data=("y_true", "y_pred"),
    columns=("column", "column"),
    streamed=True,
    batched=True,
    meanings={
        "y_true": "The true numbers, an array, list or series. A row with a missing number is left out under "
        "add/remove.",
        "y_pred": "The predicted numbers, as many.",
    },
)


@question_of_two(OF_PREDICTIONS)
def accuracy(**keywords: Unpack[Unbounded]) -> Binding:
    """A private share of the predictions that are right. Labels are numbers or booleans; encode others first.

    Args:
        y_true: The true labels, an array, list or series. A row with a missing label is left out under add/remove.
        y_pred: The predicted labels, one for each true label.

    Examples:
        >>> nws.accuracy([1, 0, 2, 1], [1, 0, 2, 2], epsilon=1.0)
    """
    return of_statistic(Accuracy(), **keywords)


@question_of_two(OF_PREDICTIONS)
def f1(**keywords: Unpack[Unbounded]) -> Binding:
    """A private F1 score of the class 1, the harmonic mean of precision and recall; 0 if there is no true positive.

    Args:
        y_true: The true labels, booleans or 0 and 1. A row with a missing label is left out under add/remove.
        y_pred: The predicted labels, one for each true label.

    Examples:
        >>> nws.f1([True, False, True], [True, True, True], epsilon=1.0)
    """
    return of_statistic(F1(), **keywords)


@question_of_two(
    Capabilities(data=("y_true", "y_score"), columns=("column", "column"), streamed=True, batched=True)
)
def auc(**keywords: Unpack[Unbounded]) -> Binding:
    """A private area under the ROC curve of the class 1. Ties count half. The answer is 1/2 if a class is empty.

    Args:
        y_true: The true labels, booleans or 0 and 1. A row with something missing is left out under add/remove.
        y_score: The scores, one for each label. A higher score makes class 1 more likely. Only their order counts.

    Examples:
        >>> nws.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], epsilon=1.0)
    """
    return of_statistic(AUC(), **keywords)


@question_of_two(OF_PREDICTIONS)
def log_loss(**keywords: Unpack[Bounded]) -> Binding:
    """A private mean log loss of the probabilities given to the class 1.

    Args:
        y_true: The true labels, booleans or 0 and 1. A row with something missing is left out under add/remove.
        y_pred: The probabilities, one for each label, clamped to between 0 and 1.
        bounds: The least and the greatest loss that a row may count with, such as 0 and 5. Losses are clamped to them.

    Examples:
        >>> nws.log_loss([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bounds=(0, 5), epsilon=1.0)
    """
    return of_statistic(LogLoss(), **keywords)


@question_of_two(OF_PREDICTIONS)
def mae(**keywords: Unpack[Bounded]) -> Binding:
    """A private mean absolute error.

    Args:
        bounds: The least and the greatest absolute error that a row may count with. Errors are clamped to them.

    Examples:
        >>> nws.mae([3.0, 5.5, 2.0], [2.5, 5.0, 4.0], bounds=(0, 10), epsilon=1.0)
    """
    return of_statistic(MAE(), **keywords)


@question_of_two(OF_PREDICTIONS)
def mse(**keywords: Unpack[Bounded]) -> Binding:
    """A private mean squared error.

    Args:
        bounds: The least and the greatest squared error that a row may count with. Squares are clamped to them.

    Examples:
        >>> nws.mse([3.0, 5.5, 2.0], [2.5, 5.0, 4.0], bounds=(0, 100), epsilon=1.0)
    """
    return of_statistic(MSE(), **keywords)


@question_of_two(OF_PREDICTIONS)
def rmse(**keywords: Unpack[Bounded]) -> Binding:
    """A private root of the mean squared error.

    Args:
        bounds: The least and the greatest absolute error that a row may count with, in the unit of the data.

    Examples:
        >>> nws.rmse([3.0, 5.5, 2.0], [2.5, 5.0, 4.0], bounds=(0, 10), epsilon=1.0)
    """
    return of_statistic(RMSE(), **keywords)


@question_of_two(OF_PREDICTIONS)
def r2(*, floor: Number = -1, **keywords: Unpack[Bounded]) -> Binding:
    """A private R²: the share of the variation of y_true that the predictions explain, at least ``floor``.

    Args:
        bounds: The lowest and highest possible y_true. Both columns are clamped to them.
        floor: The least possible answer, between -1000000 and 0; also the answer if y_true does not vary.

    Examples:
        >>> nws.r2([3.0, 5.5, 2.0], [2.5, 5.0, 4.0], bounds=(0, 10), epsilon=1.0)
    """
    return of_statistic(R2(floor), **keywords)
