"""A ledger as a record of the OpenDP registry of deployments, in YAML.

The fields and their order are those of `schemas/deployments-schema.yaml` in opendp/deployments-registry-data as of
September 2026. The facts in the ledger are filled in: the variant, the parameters, the unit, the mechanisms and the
composition. Facts that only a person knows are marked. Choices among the registry's own words are comments.
"""

import json
import math
import re
from collections.abc import Iterable
from fractions import Fraction

from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.ledger.budget import Terms
from noisewise.ledger.entries import Entry, question_in
from noisewise.ledger.ledger_report import Report
from noisewise.version import __version__

BLANK = "TO BE FILLED IN"
LAW = re.compile(r"[a-z][a-z0-9-]*/[0-9]+")
"""The name and version of a law in an entry."""
VARIANTS = {PureDP: "Pure DP", ApproxDP: "Approximate DP", ZCDP: "Zero-concentrated DP"}
TRUST = "Whoever holds the data and asks the questions is trusted; whoever reads the answers is not."
SAFEGUARDS = "No floating-point number decides an answer. How long an answer takes may depend on the data."
MOST_NAMED = 20
"""The most releases that the description names."""


def registry_text(terms: Terms, report: Report, entries: Iterable[Entry]) -> str:
    """The record, with marks where a fact is missing."""
    listed = list(entries)
    facts = dict(report.facts)
    memos = [each for entry in listed for each in entry.memo.split("; ")]
    asked = list(dict.fromkeys(question_in(memo) for memo in memos))
    laws = list(dict.fromkeys(law for memo in memos for law in LAW.findall(memo)))
    more = f"; and {len(asked) - MOST_NAMED:,} more" if len(asked) > MOST_NAMED else ""
    public = "The number of records." if terms.neighbors == "swap" else "None that noisewise released."
    who = "Person-level" if terms.unit not in ("edge", "node") else f"{terms.unit.capitalize()}-level"
    if terms.neighbors == "swap":
        who = "Record-level"
    named = (
        f"Private answers: {'; '.join(asked[:MOST_NAMED])}{more}."
        if asked
        else f"{BLANK}: what was published"
    )
    published = listed[0].time[:10] if listed else f"{BLANK}: YYYY-MM-DD"
    protected, spent = facts["protects"], facts["spent"]
    worth = f" The budget is worth {facts['worth']}." if "worth" in facts else ""
    drawn = f"noisewise {__version__}, exact draws: {'; '.join(laws) or 'none yet'}. {SAFEGUARDS}"
    return "\n".join(
        [
            f"url_slug: {_blank('a short name in small letters')}",
            "deployment:",
            "  basic:",
            f"    name: {_text(terms.name) if terms.name else _blank('the name of the data product')}",
            "    data_curators:",
            f"      - data_curator_name: {_blank('who publishes it')}",
            f"        data_curator_type: {_blank('Government, Industry or Nonprofit')}",
            f"    description: {_text(named)}",
            f"    intended_use: {_blank('what it is for')}",
            '    data_product_type: "Summary statistics"',
            f"    data_product_region: {_blank('what region it describes, or whose laws apply')}",
            f"    # data_product_sector: {BLANK}: Technology, Healthcare, Education, Government, Energy or Finance",
            f"    publication_date: {_text(published)}",
            "  dp_variant:",
            f"    variant_name: {_text(VARIANTS[type(terms.budget)])}",
            f"    data_domain: {_blank('which datasets are eligible for protection')}",
            f"    unprotected_quantities: {_text(f'{public} {BLANK}: what else was published.')}",
            "  privacy_loss:",
            f"    privacy_unit: {_text(who)}",
            f"    privacy_unit_details: {_text(f'Protected: {protected}.')}",
            f"    # number_of_privacy_units: {BLANK}: how many people, roughly where the number is secret",
            "    privacy_parameters:",
            *(f"      {name}: {_number(value)}" for name, value in _parameters(terms).items()),
            f"    privacy_parameters_details: {_text(f'The budget of all releases. Spent so far: {spent}.{worth}')}",
            "  deployment_model:",
            '    model_name: "Central"',
            f"    trust_assumptions: {_text(f'{TRUST} {BLANK}: why that trust is warranted.')}",
            f"    actors: {_blank('who holds the data, who may ask, and who reads the answers')}",
            f"    # release_type: {BLANK}: One release or Many releases",
            f"    # data_source_type: {BLANK}: Static or Dynamic",
            f"    # access_type: {BLANK}: Interactive or Non-interactive",
            "  implementation:",
            f"    preprocessing_and_hyperparameter_tuning: {_blank('what was done with the data before')}",
            f"    mechanisms: {_text(drawn)}",
            f"    composition: {_text(_composition(terms))}",
            f"    post_processing: {_blank('what was done with the answers afterwards')}",
            f"    justification: {_blank('how the budget, the unit and the bounds were chosen')}",
            f"    # utility: {BLANK}: how good the answers are",
            "  administrative:",
            "    evidence_sources:",
            "      source_1:",
            f"        evidence_source_type: {_blank('Formal publication by the deploying organization, or another')}",
            "        misc:",
            f"          title: {_blank('what describes the release')}",
            f"          url: {_blank('where it is published')}",
            '    status: "Draft"',
            "    registry_authors:",
            f"      - {_blank('who wrote this record')}",
            "    tier: 2",
            "",
        ]
    )


def _composition(terms: Terms) -> str:
    kind = VARIANTS[type(terms.budget)]
    return (
        f"Adaptive sequential composition by a privacy filter in {kind}, exact sums, debited before the data is read; "
        "the entries are chained by hashes."
    )


def _parameters(terms: Terms) -> dict[str, Fraction]:
    budget = terms.budget
    if isinstance(budget, ZCDP):
        return {"rho": budget.rho}
    return {"epsilon": budget.epsilon, **({"delta": budget.delta} if isinstance(budget, ApproxDP) else {})}


def _number(value: Fraction) -> str:
    """Write a value, rounded up if necessary, so that every version of YAML reads it as a number."""
    near = float(value)
    text = repr(
        near if Fraction(near) >= value or Fraction(repr(near)) == value else math.nextafter(near, math.inf)
    )
    mantissa, e, power = text.partition("e")
    return f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{e}{power}"


def _text(words: str) -> str:
    """A text in quotes that JSON and YAML both read."""
    return json.dumps(words, ensure_ascii=True)


def _blank(what: str) -> str:
    return _text(f"{BLANK}: {what}")
