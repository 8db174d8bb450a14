"""What is sent opens elsewhere as it was: old links for ever, this Mac by its kind."""

import dataclasses
from pathlib import Path

import pytest

from advisor.advice import this_machine
from advisor.advice.scenario import CONTEXTS, DEFAULT, Scenario
from advisor.catalog import load
from advisor.detect.recorded import VARIABLE
from advisor.share import links
from advisor.share.answer import answer
from advisor.share.sending import open_link, portable, sealed

FULL = Scenario(
    "macbook-pro-16-m5-max-128", "mac-mini-m4-pro-20c-48", max(CONTEXTS), "lmstudio-gguf",
    15, 12.5, 8, 100352, 40960, 12.5,
)  # fmt: skip
# Links made once, a page, a scenario each; every later version must open them.
OLD_LINKS = (Path(__file__).parent / "old_links.txt").read_text().splitlines()


def opened(text):
    return open_link(load(), links.read(text))


def test_a_link_rebuilds_the_exact_answer():
    catalog = load()
    scenario = dataclasses.replace(DEFAULT, context_tokens=32768, kv_bits=8)
    asked = answer(catalog, scenario)
    query, note = sealed(catalog, asked)

    found = opened(links.address("https://tolls.example.org", "home", query))

    assert note == ""
    assert found.scenario == scenario
    assert (found.problems, found.since) == ((), "")
    assert found.answer.verdict == asked.verdict
    assert found.answer.ranked.equals(asked.ranked)


def test_a_full_scenario_makes_a_link_of_at_most_1500_characters():
    catalog = load()
    more = ["mac-studio-m3-ultra-512", "mac-mini-m5-pro-48", "macbook-pro-14-m5-max-64"]
    keys = {"more": ",".join(more), "m": ",".join(sorted(catalog.model_ids, key=len)[-6:]),
            "q": "x" * 60, "show": "fits,raise_limit,pages,no"}  # fmt: skip
    query, _ = sealed(catalog, answer(catalog, FULL, more), keys)

    assert len(links.address("https://tollbooth.some-company.example.org", "speed", query)) <= 1500


@pytest.mark.parametrize("line", OLD_LINKS, ids=range(len(OLD_LINKS)))
def test_a_link_made_once_opens_for_ever(line):
    page, a, b, context, link = line.split(" ")

    found = opened(link)

    assert found.problems == ()
    assert (found.scenario.a, found.scenario.b) == (a, b)
    assert found.scenario.context_tokens == int(context)
    assert links.read(link).page == page


def test_a_link_cut_short_is_answered_as_far_as_it_goes():
    catalog = load()
    query, _ = sealed(catalog, answer(catalog, FULL))

    found = opened(query[: query.index("&rt=") + 6])

    assert found.scenario.a == FULL.a
    assert found.scenario.context_tokens == FULL.context_tokens
    assert "cut short" in found.problems[0]
    assert "No runtime is called 'lm'" in found.problems[1]
    assert found.since == ""


def test_ids_that_are_gone_are_said_and_the_rest_is_answered():
    query = links.query(
        {"a": "mac-mini-m99-16", "b": "mac-mini-m5-pro-48", "more": "mac-gone-8,mac-mini-m6-16"},
        catalog="2020-01-01.00000000",
    )

    found = opened(query)

    assert found.scenario.b == "mac-mini-m5-pro-48"
    assert [one.split(":")[0] for one in found.problems] == [
        "The link's a='mac-mini-m99-16'", "The link's more='mac-gone-8'",
    ]  # fmt: skip
    assert [side.machine.id for side in found.answer.sides][-1] == "mac-mini-m6-16"


def test_this_mac_is_sent_by_the_id_of_its_kind(monkeypatch):
    recording = Path(__file__).parents[1] / "recorded" / "m4-pro-48-macos-26.txt"
    monkeypatch.setenv(VARIABLE, str(recording))
    this_machine.look_again()
    catalog = load()

    found, note = portable(catalog, dataclasses.replace(DEFAULT, a="this"))

    assert catalog.machine(found.a).chip.id == this_machine.find(catalog, "this").chip.id
    assert found.b == DEFAULT.b
    assert "for this Mac" in note
