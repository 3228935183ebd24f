"""The record for the registry of deployments: its fields, what the ledger knows, and blanks that are marked."""

import pytest
import yaml

import noisewise as nws
from noisewise.ledger.registry import BLANK

REQUIRED = {
    "basic": [
        "name",
        "data_curators",
        "description",
        "intended_use",
        "data_product_type",
        "data_product_region",
        "publication_date",
    ],
    "administrative": ["status", "registry_authors", "tier"],
}
"""What the registry refuses a record without, as of September 2026."""
KNOWN = {
    "basic": [*REQUIRED["basic"], "data_product_sector"],
    "dp_variant": ["variant_name", "data_domain", "unprotected_quantities"],
    "privacy_loss": [
        "privacy_unit",
        "privacy_unit_details",
        "number_of_privacy_units",
        "privacy_parameters",
        "privacy_parameters_details",
    ],
    "deployment_model": [
        "model_name",
        "model_name_details",
        "trust_assumptions",
        "actors",
        "release_type",
        "release_type_details",
        "data_source_type",
        "data_source_type_details",
        "access_type",
        "access_type_details",
    ],
    "implementation": [
        "preprocessing_and_hyperparameter_tuning",
        "mechanisms",
        "composition",
        "post_processing",
        "justification",
        "utility",
        "additional_information",
    ],
    "administrative": ["evidence_sources", *REQUIRED["administrative"]],
}
"""Every field there is: the registry refuses a record with another."""


@pytest.mark.parametrize(
    ("budget", "variant", "parameters"),
    [
        (nws.PureDP(1), "Pure DP", {"epsilon": 1.0}),
        (nws.ZCDP(0.5), "Zero-concentrated DP", {"rho": 0.5}),
        (nws.ApproxDP(2, 1e-6), "Approximate DP", {"epsilon": 2.0, "delta": 1e-6}),
    ],
)
def test_it_has_every_required_field(tmp_path, budget, variant, parameters):
    ledger = nws.Ledger.open(tmp_path / "l", budget=budget, name='staff: "A" # 1')
    record = yaml.safe_load(ledger.registry())
    assert set(record) == {"url_slug", "deployment"}
    deployment = record["deployment"]
    missing = [
        f"{part}.{name}" for part in REQUIRED for name in REQUIRED[part] if name not in deployment[part]
    ]
    unknown = [
        f"{part}.{name}" for part in deployment for name in deployment[part] if name not in KNOWN[part]
    ]
    assert set(deployment) == set(KNOWN) and missing == [] and unknown == []
    assert (deployment["administrative"]["status"], deployment["administrative"]["tier"]) == ("Draft", 2)
    assert (
        deployment["dp_variant"]["variant_name"] == variant
        and deployment["basic"]["name"] == 'staff: "A" # 1'
    )
    assert deployment["privacy_loss"]["privacy_parameters"] == parameters, "numbers, in every version of YAML"
    assert deployment["deployment_model"]["model_name"] == "Central"
    assert BLANK in deployment["basic"]["intended_use"] and BLANK in deployment["basic"]["publication_date"]


def test_it_says_what_was_released_and_how(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "l", budget=nws.PureDP(9), neighbors="swap")
    for column in ([1, 2], [3, 4]):
        release = nws.median(column, bounds=(0, 5), epsilon=1, neighbors="swap", ledger=ledger)
    deployment = yaml.safe_load(ledger.registry())["deployment"]
    assert deployment["basic"]["description"] == "Private answers: median."
    assert release.law in deployment["implementation"]["mechanisms"]
    assert deployment["basic"]["publication_date"] == release.time[:10]
    assert deployment["privacy_loss"]["privacy_unit"] == "Record-level"
    assert deployment["dp_variant"]["unprotected_quantities"].startswith("The number of records.")
    assert "ε = 2" in deployment["privacy_loss"]["privacy_parameters_details"]
