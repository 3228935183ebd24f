"""Breaks of the first principal component: of its gap, its sign, its floors and its exact arithmetic."""

from tests.mutants.mutant import Mutant

FILE, TESTS = "statistics/principal_component.py", "tests/statistics/test_principal_component.py"

MUTANTS = [
    Mutant(
        "one record is said to move the gap by less than it can",
        FILE,
        "EDIT = PARTS + 1",
        "EDIT = PARTS // 2",
        TESTS + "::test_all_small_tables_add_remove",
    ),
    Mutant(
        "what moves the gap is said to leave its rounding as it is",
        FILE,
        "EDIT = PARTS + 1",
        "EDIT = PARTS",
        f"{TESTS}::test_one_row_may_move_the_gap_by_all_that_is_granted",
    ),
    Mutant(
        "the angle is said to be half of what it can be",
        FILE,
        "yield -(-reach *",
        "yield -(-reach // 2 *",
        TESTS + "::test_all_small_tables_add_remove",
    ),
    Mutant(
        "the component may turn to the far side of its direction unnoticed",
        FILE,
        "if room is not None and room <= 0:",
        "if room is not None and room < -stride * levels:",
        TESTS + "::test_all_small_tables_add_remove",
    ),
    Mutant(
        "the way to the far side is the same at every level",
        FILE,
        "room = None if room is None else room - radius",
        "room = None if room is None else room * (room > radius)",
        TESTS + "::test_all_small_tables_add_remove",
    ),
    Mutant(
        "a component is public for data whose neighbours have radii",
        FILE,
        "parts < ENOUGH - EDIT",
        "parts < ENOUGH + EDIT",
        TESTS + "::test_all_small_tables_add_remove",
    ),
    Mutant(
        "floors are said to cost nothing",
        FILE,
        "return int(frame.low.size) + 1",
        "return 0",
        TESTS + "::test_several_floors_change_at_once",
    ),
    Mutant(
        "a swap is one edit",
        FILE,
        "edits = 2 if rows.neighbors",
        "edits = 1 if rows.neighbors",
        TESTS + "::test_all_small_tables_swap",
    ),
    Mutant(
        "products of large numbers are rounded",
        "statistics/products.py",
        "HALF = 26",
        "HALF = 40",
        TESTS + "::test_moments_are_exact_integers",
    ),
    Mutant(
        "long rows stay long",
        FILE,
        "away *= np.minimum(1.0,",
        "away *= np.maximum(1.0,",
        TESTS + "::test_walks_toward_no_gap",
    ),
    Mutant(
        "powers are taken for their limit",
        FILE,
        "if far.upper() < near and",
        "if far.upper() < 2.0**-40 and",
        TESTS + "::test_the_projector_is_known_from_below_to_its_last_places",
    ),
]
