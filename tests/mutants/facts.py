"""Breaks of facts about columns, which must never replace what a question says."""

from tests.mutants.mutant import Mutant

FACTS = "tests/dataset/test_facts.py"

MUTANTS = [
    Mutant(
        "a fact replaces what a question says",
        "dataset/facts.py",
        "name in question.kind.signature.parameters and _lacks(question, name)",
        "name in question.kind.signature.parameters",
        FACTS + "::test_what_a_question_says_wins",
    ),
    Mutant(
        "the granularity of a column is that of its variance",
        "dataset/facts.py",
        '"granularity": facts[0].granularity if in_unit else None,',
        '"granularity": facts[0].granularity,',
        FACTS + "::test_a_question_with_facts_is_the_question_that_says_them",
    ),
    Mutant(
        "wrong facts are found by the first question",
        "dataset/facts.py",
        "MEDIAN.frame(self.bounds, self.granularity)",
        "pass",
        FACTS + "::test_wrong_facts_are_refused",
    ),
]
