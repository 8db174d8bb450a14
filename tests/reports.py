"""One report of the essay's pair, and one that means harm: fixtures of tests on sharing."""

import pytest

from advisor.advice.scenario import DEFAULT
from advisor.catalog import load
from advisor.share import reporting
from advisor.share.answer import answer
from advisor.share.report import Report

MARKUP = "<img src=https://example.org/x.png onerror=alert(1)> ![x](https://example.org/y) | `a`"


@pytest.fixture(scope="session")
def report() -> Report:
    return reporting.report(load(), answer(load(), DEFAULT))


@pytest.fixture
def marked(report) -> Report:
    """A report as somebody with bad intentions would write it: markup wherever text may stand."""
    first, second = report.machines
    choice = second.best.model_copy(update={"model": MARKUP, "quant_id": MARKUP})
    run = report.evidence[0].model_copy(
        update={"model": MARKUP, "source_url": f"javascript:{MARKUP}", "quant": MARKUP}
    )
    machine = second.model_copy(
        update={"name": MARKUP, "label": MARKUP, "best": choice, "models": (choice,)}
    )
    return report.model_copy(
        update={
            "verdict": MARKUP,
            "claims": (MARKUP,),
            "runtime_name": MARKUP,
            "machines": (first, machine),
            "evidence": (run,),
            "link_note": MARKUP,
        }
    )
