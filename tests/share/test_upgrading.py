"""An upgrade's report says what the command line says, on one page that can be sent."""

from datetime import date

import pytest

from advisor.catalog import load
from advisor.routing.workload import preset
from advisor.share import links, reading, writing
from advisor.share.sending import open_link
from advisor.share.upgrading import upgrade_report
from advisor.upgrade import answer, machines
from advisor.upgrade.data import as_data


@pytest.fixture(scope="module")
def found():
    catalog = load()
    first, others, _ = machines.chosen(
        catalog, "mac-mini-m4-16", ["mac-mini-m4-pro-48", "m5-pro:48"], macos=26
    )
    workload = preset(catalog, "personal-agent")
    return answer.upgrade(catalog, first, others, workload, today=date(2026, 12, 1))


@pytest.fixture(scope="module")
def made(found):
    return upgrade_report(load(), found)


def test_the_verdict_stands_first_and_each_target_has_its_section(found, made):
    assert made.verdict == found.targets[0].verdict.sentence
    assert found.targets[1].verdict.sentence in made.sections[1].said
    assert [one.name for one in made.machines] == [side.name for side in found.sides]


def test_every_class_has_an_answer_on_every_machine(found, made):
    for at, request in enumerate(made.requests):
        replies = [found.targets[0].changes[at].before,
                   *(target.changes[at].after for target in found.targets)]  # fmt: skip
        assert [one.model for one in request.answers] == [reply.model for reply in replies]
        assert [one.quality for one in request.answers] == [reply.quality for reply in replies]
    assert sum(request.share for request in made.requests) == pytest.approx(1)


@pytest.mark.parametrize("write", [writing.as_html, writing.as_markdown])
def test_never_pays_back_is_said_with_its_arithmetic(found, made, write):
    text = write(made)

    assert "Break-even: never, whatever the machine costs" in text
    for side in found.sides:
        for sentence in side.bill.said:
            assert sentence[:60] in text.replace("&#39;", "'").replace("\\", "")


def test_a_missing_price_is_not_a_zero(made):
    (table,) = made.sections[-1].tables
    price = next(row for row in table.rows if row[0] == "Price")

    assert price[3] == "not known"
    assert price[2].startswith("1,799 USD")


def test_json_holds_every_number_and_is_read_again(found, made):
    again = reading.read(writing.as_json(made))

    assert again.upgrade == as_data(found)
    assert again.requests == made.requests


def test_its_link_opens_the_page_with_the_workload(made):
    sent = links.Sent(made.page, links.read(made.link).params)

    assert made.page == "upgrade"
    assert (sent.params["wl"], sent.params["more"]) == ("personal-agent", "m5-pro:48")
    opened = open_link(load(), sent)
    assert (opened.problems, opened.since) == ((), "")
    assert [side.name for side in opened.answer.sides] == [one.name for one in made.machines]


def test_a_first_machine_in_parts_is_sent_by_the_mac_that_has_them():
    catalog = load()
    first, others, _ = machines.chosen(catalog, "m4-pro:16:48", ["mac-mini-m5-pro-48"])
    workload = preset(catalog, "personal-agent")

    report = upgrade_report(catalog, answer.upgrade(catalog, first, others, workload))

    sent = links.read(report.link).params["a"]
    assert catalog.machine(sent).chip.id == first.chip.id
    assert catalog.machine(sent).memory_gb == 48


def test_it_is_small(made):
    assert len(writing.as_html(made).encode()) <= 2_000_000
