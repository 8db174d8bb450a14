"""The whole answer as JSON: nothing lost, nothing JSON cannot hold."""

import json

from advisor.upgrade.data import VERSION, as_data


def test_it_is_json_without_nan(found):
    data = as_data(found)

    text = json.dumps(data, allow_nan=False)

    assert json.loads(text) == data
    assert (data["tollbooth"], data["version"]) == ("upgrade", VERSION)


def test_it_holds_the_numbers_of_the_answer(found):
    data = as_data(found)
    target = data["targets"][0]

    assert data["first"]["machine"]["id"] == "mac-mini-m4-16"
    assert target["verdict"]["sentence"] == found.targets[0].verdict.sentence
    assert target["side"]["bill"]["said"] == list(found.targets[0].side.bill.said)
    assert data["catalog_digest"] == found.catalog_digest
    assert data["on"] == "2026-12-01"
