"""The record for the registry of deployments: its fields, what the ledger knows, and blanks that are marked."""

import pytest

import noisewise as nws
from noisewise.privacy.registry import BLANK

yaml = pytest.importorskip("yaml")

REQUIRED = {
    "basic": [
        "name",
        "data_curators",
        "intended_use",
        "data_product_type",
        "data_product_region",
        "description",
        "publication_date",
    ],
    "dp_variant": ["variant_name", "data_domain", "unprotected_quantities"],
    "privacy_loss": ["privacy_unit", "privacy_parameters"],
    "deployment_model": ["model_name"],
    "accounting": ["post_processing", "composition"],
    "implementation": ["preprocessing_and_hyperparameter_tuning", "mechanisms", "justification"],
    "administrative": ["sources", "registry_authors"],
}


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
    assert [record[name] for name in ("status", "tier")] == ["Draft", 2] and "url_slug" in record
    deployment = record["deployment"]
    assert {
        name: [field for field in fields if field not in deployment[name]]
        for name, fields in REQUIRED.items()
    } == {name: [] for name in REQUIRED}
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
