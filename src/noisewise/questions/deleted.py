"""Questions that were deleted, and what to ask instead: said wherever one of them is named."""

from noisewise.errors import ParameterError

INSTEAD = {
    "expectile": "ask huber_mean or quantile instead",
    "k_stars": "ask triangles or degree_quantile instead",
    "spanning_tree_cost": "nothing takes its place",
    "transitivity": "ask triangles or degree_quantile instead",
}


def deleted(name: str) -> ParameterError | None:
    """What is wrong with a name that is no question: None if it never was one."""
    name = name.replace("-", "_")
    if name not in INSTEAD:
        return None
    return ParameterError("noisewise", f"has no question '{name}' any more", fix=INSTEAD[name])
