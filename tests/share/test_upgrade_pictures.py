"""An upgrade's report has its page's charts, each told in words, apart from each other."""

import re

import pytest

from advisor.catalog import load
from advisor.routing.workload import preset
from advisor.share import writing
from advisor.share.upgrade_pictures import upgrade_pictures
from advisor.share.upgrading import upgrade_report
from advisor.upgrade import answer, machines
from advisor.upgrade.edits import Edits


def made(edits: Edits | None = None):
    catalog = load()
    first, others, _ = machines.chosen(catalog, "mac-mini-m4-16", ["mac-mini-m4-pro-48"], macos=26)
    found = answer.upgrade(catalog, first, others, preset(catalog, "chat"), edits=edits)
    report = upgrade_report(catalog, found)
    return report, upgrade_pictures(found, report)


@pytest.fixture(scope="module")
def drawn():
    return made()


def test_four_pictures_name_both_machines_in_words(drawn):
    report, pictures = drawn

    assert len(pictures) == 4
    for one in pictures:
        assert all(machine.name in one.words for machine in report.machines)


def test_the_parts_of_pictures_have_names_of_their_own(drawn):
    _, pictures = drawn
    names = [name for one in pictures for name in re.findall(r'id="([^"]+)"', one.svg)]

    assert len(names) == len(set(names))


def test_they_stand_in_the_report(drawn):
    report, pictures = drawn
    text = writing.as_html(report, "", pictures)

    assert all(one.svg in text for one in pictures)


def test_in_another_currency_without_prices_no_cost_is_drawn():
    _, pictures = made(Edits(currency="EUR"))

    assert [one.title for one in pictures if "million" in one.title] == []
