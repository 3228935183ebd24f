"""Questions, written down before they are asked: for `agg`, which asks several at once."""

from noisewise.dataset.methods import Questions
from noisewise.questions.question import Question


class Ask(Questions[Question]):
    """``ask.median("salary", bounds=(0, 500_000), epsilon=0.4)`` is the question, not the answer."""

    def __repr__(self) -> str:
        return "<ask: questions for agg>"

    def _ask(self, question: Question) -> Question:
        question.judge()
        return question


ask = Ask()
