"""Breaks of the bridges to other libraries' accounts."""

from tests.mutants.mutant import Mutant

EVENTS, MEASUREMENT, FLOATS = (
    f"tests/bridges/test_{name}.py" for name in ("dp_accounting", "opendp", "outside")
)

MUTANTS = [
    Mutant(
        "a float may be less than the number it stands for",
        "bridges/outside.py",
        "return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)",
        "return nearest",
        FLOATS + "::test_the_float_is_the_smallest_that_is_not_below",
    ),
    Mutant(
        "a pure loss is sold as a Laplace event",
        "bridges/dp_accounting.py",
        "events.DiscreteLaplaceDpEvent(amount, 1)",
        "events.LaplaceDpEvent(1 / amount)",
        EVENTS + "::TestWhichEvent::test_auto_is_pure_where_only_epsilon_is_known",
    ),
    Mutant(
        "bounded range is sold as half its epsilon",
        "bridges/dp_accounting.py",
        "return _without_delta(loss).as_pure().epsilon",
        "return _without_delta(loss).as_pure().epsilon / 2",
        EVENTS + "::TestWhichEvent::test_auto_is_pure_where_only_epsilon_is_known",
    ),
    Mutant(
        "every loss is sold as bounded range",
        "bridges/dp_accounting.py",
        "return _without_delta(loss).as_zcdp().rho",
        "return BoundedRange(_epsilon(loss)).as_zcdp().rho",
        EVENTS + "::TestWhichEvent::test_auto_is_pure_where_only_epsilon_is_known",
    ),
    Mutant(
        "equal losses are booked once",
        "bridges/dp_accounting.py",
        "return event if count == 1 else events.SelfComposedDpEvent(event, count)",
        "return event",
        EVENTS + "::TestWhichEvent::test_a_mix_is_in_one_currency_so_that_one_accountant_takes_it",
    ),
    Mutant(
        "only the first kind of loss is booked",
        "bridges/dp_accounting.py",
        "return parts[0] if len(parts) == 1 else events.ComposedDpEvent(parts)",
        "return parts[0]",
        EVENTS + "::TestWhichEvent::test_a_mix_is_in_one_currency_so_that_one_accountant_takes_it",
    ),
    Mutant(
        "an epsilon of nothing is a release without noise",
        "bridges/dp_accounting.py",
        "if amount > 0",
        "if amount >= 0",
        EVENTS + "::TestWhichEvent::test_no_loss_is_no_event",
    ),
    Mutant(
        "a group that is begun is not counted in OpenDP",
        "bridges/opendp.py",
        "people = -(-distance // contributions)",
        "people = distance // contributions",
        MEASUREMENT + "::TestTheMap::test_up_to_contributions_it_is_epsilon_and_then_that_of_a_group",
    ),
    Mutant(
        "a group loses in OpenDP what one person does",
        "bridges/opendp.py",
        "group = group_loss(loss, people)",
        "group = loss",
        MEASUREMENT + "::TestTheMap::test_up_to_contributions_it_is_epsilon_and_then_that_of_a_group",
    ),
    Mutant(
        "zCDP of a group grows like its number in OpenDP",
        "kernel/losses.py",
        "records**2 * pure.rho",
        "records * pure.rho",
        MEASUREMENT + "::TestTheMap::test_a_known_rho_grows_with_the_square_of_the_group",
    ),
    Mutant(
        "every release is of bounded range in OpenDP",
        "bridges/opendp.py",
        "group.as_zcdp().rho",
        "BoundedRange(group.epsilon).as_zcdp().rho",
        MEASUREMENT + "::TestTheMap::test_a_known_rho_grows_with_the_square_of_the_group",
    ),
    Mutant(
        "a change is taken for an addition in OpenDP",
        "bridges/opendp.py",
        "dp.change_one_distance() if swap else dp.symmetric_distance()",
        "dp.change_one_distance()",
        MEASUREMENT + "::TestTheFunction::test_other_domains_are_taken_as_they_are",
    ),
    Mutant(
        "zCDP is sold as pure in OpenDP",
        "bridges/opendp.py",
        'dp.max_divergence() if as_ == "pure" else dp.zero_concentrated_divergence()',
        "dp.max_divergence()",
        MEASUREMENT + "::TestTheMap::test_the_measure_is_the_currency",
    ),
    Mutant(
        "the loss in OpenDP is that of no records",
        "bridges/opendp.py",
        "question(range(size or 0))",
        "question(range(0))",
        MEASUREMENT + "::TestRefusals::test_under_swap_the_loss_is_that_of_the_size",
    ),
    Mutant(
        "data of another size than its domain is released in OpenDP",
        "bridges/opendp.py",
        "len(records) != size",
        "len(records) > size",
        MEASUREMENT + "::TestRefusals::test_under_swap_the_number_of_records_is_public_and_kept",
    ),
    Mutant(
        "an error in OpenDP tells what it saw",
        "bridges/opendp.py",
        "settle(question(records), None).value",
        "question(records).answer().value",
        MEASUREMENT + "::TestTheFunction::test_an_error_says_nothing_of_the_data",
    ),
    Mutant(
        "an interrupt aborts the process in OpenDP",
        "bridges/opendp.py",
        "except (KeyboardInterrupt, SystemExit):",
        "except SystemExit:",
        MEASUREMENT + "::TestTheFunction::test_an_interrupt_is_an_error_and_does_not_abort_the_process",
    ),
    Mutant(
        "what was composed is booked without its rho",
        "bridges/dp_accounting.py",
        "return spent.as_pure()",
        "return PureDP(spent.epsilon)",
        EVENTS + "::TestWhatWasSpent::test_entries_and_what_was_composed_are_losses_too",
    ),
]
