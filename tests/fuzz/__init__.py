"""Coverage-guided fuzzing of everything that reads text: ``python -m tests.fuzz MINUTES``, or ``make fuzz``.

Inputs that reach a new line of the library are kept and changed further; those in ``corpus/`` come first. A finding is
an error that is no `NoisewiseError`, or an answer that a slow reference contradicts.
"""
