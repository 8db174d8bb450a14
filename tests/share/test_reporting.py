"""A report holds the engine's numbers, the machines' facts and the runs behind them."""

import dataclasses

import pytest

from advisor.advice.scenario import DEFAULT, Scenario
from advisor.catalog import load
from advisor.share import links, reporting
from advisor.share.answer import answer
from tests.views.reading import fit


@pytest.mark.parametrize("at", [0, 1])
def test_its_numbers_are_the_command_lines(report, at):
    machine = report.machines[at]
    rows = fit(machine.id, "--runtime", "mlx-lm")

    for choice in (machine.best, machine.fast, machine.same, *machine.models[:20]):
        row = rows[choice.model_id, choice.quant_id]
        assert choice.decode_tok_s == pytest.approx(row["decode_tok_s"])
        assert choice.total_bytes == pytest.approx(row["total_bytes"])
        assert choice.verdict == row["verdict"]


def test_every_model_listed_fits_and_none_is_there_twice(report):
    for machine in report.machines:
        ids = [choice.model_id for choice in machine.models]
        assert len(set(ids)) == len(ids) > 50
        assert {choice.verdict for choice in machine.models} == {"fits"}


def test_facts_carry_their_sources_and_prices_their_days(report):
    for machine in report.machines:
        assert machine.prices
        assert all(price.on.startswith("20") for price in machine.prices)
        assert all(source.url and source.backs for source in machine.sources)


def test_evidence_is_of_these_chips_and_this_runtime(report):
    assert len(report.evidence) > 100
    assert {run.chip for run in report.evidence} <= {"M4", "M4 Pro"}
    assert {run.runtime for run in report.evidence} == {"mlx-lm"}
    assert all(run.source_url for run in report.evidence)


def test_the_link_of_a_page_opens_that_page_with_its_keys():
    catalog = load()
    made = reporting.report(
        catalog, answer(catalog, DEFAULT), page="fit", page_keys={"show": "fits"}
    )

    assert made.page == "fit"
    assert links.read(made.link).params["show"] == "fits"


def test_a_machine_on_which_nothing_fits_is_reported_as_such():
    catalog = load()
    full = Scenario("mac-mini-m4-16", "mac-mini-m4-pro-48", use_gb=15.9)

    made = reporting.report(catalog, answer(catalog, full))

    assert made.machines[0].best is None
    assert made.machines[0].models == ()
    assert made.machines[0].same.verdict != "fits"


def test_the_same_machine_twice_is_one_machine():
    catalog = load()
    same = dataclasses.replace(DEFAULT, b=DEFAULT.a)

    assert len(reporting.report(catalog, answer(catalog, same)).machines) == 1
