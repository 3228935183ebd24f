"""Breaks of the search for a limit on the records of a person, and of the question that follows it."""

from tests.mutants.mutant import Mutant

TESTS = "tests/questions/test_found_contributions.py"
LAW = TESTS + "::test_limit_and_answer_together_keep_the_loss[count-keywords0]"
PRICE = TESTS + "::test_every_question_costs_what_was_said_whatever_limit_is_found[count-price0]"

MUTANTS = [
    Mutant(
        "the question takes the whole price and the search comes on top",
        "dataset/dataset.py",
        "lambda limit: bind(self._at_most(limit), 1 - search.share),",
        "lambda limit: bind(self._at_most(limit), Fraction(1)),",
        PRICE,
    ),
    Mutant(
        "only the question is paid, not the search for its limit",
        "questions/found_contributions.py",
        "sum_with_delta(self.search.loss, *map(whatever_is_found, self.inner.losses))",
        "sum_with_delta(*map(whatever_is_found, self.inner.losses))",
        LAW,
    ),
    Mutant(
        "the price in zcdp is that of the largest limit",
        "questions/found_contributions.py",
        "*map(whatever_is_found, self.inner.losses)",
        "*self.inner.losses",
        PRICE,
    ),
    Mutant(
        "the limit is the true quantile, and not drawn",
        "questions/found_contributions.py",
        "limit = max(1, self.search.answer(bits=bits).value)",
        "read = self.search.data.read(self.search.frame.records, self.search.neighbors)\n"
        "        limit = max(1, *read.ordered().tolist(), 1)",
        LAW,
    ),
    Mutant(
        "a person counts once for each row",
        "tables/people.py",
        "return groups[kept], indices[kept]",
        "return groups[pair], indices[pair]",
        LAW,
    ),
    Mutant(
        "a limit above the largest may be found",
        "questions/found_contributions.py",
        "bounds=(0, self.most)",
        "bounds=(0, 2 * self.most)",
        TESTS + "::test_a_large_price_finds_the_quantile_and_answers_with_it",
    ),
    Mutant(
        "the work of a question in groups counts for each limit that is tried",
        "dataset/grouped.py",
        "return bind(limited, each, SharedReads())",
        "return bind(limited, each, shared)",
        TESTS + "::test_the_work_of_a_question_in_groups_counts_once",
    ),
    Mutant(
        "a mechanism with an epsilon of its own is taken, and the search comes on top",
        "dataset/dataset.py",
        'check_named(question.keywords.get("mechanism", "auto"), "contributions are ", Words("private"))',
        "pass",
        TESTS + "::test_questions_that_cannot_be_asked_are_refused_before_the_debit",
    ),
]
