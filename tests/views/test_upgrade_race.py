"""What the race is drawn from: plain numbers, and text that is never taken for HTML."""

import json

from advisor.upgrade.race import Runner
from advisor.views import upgrade_race

SLOW = Runner("<b>old</b>", "A", 4, 3, 5, 20, 16, 25)
FAST = Runner("new", "A", 2, 1.5, 2.5, 40, 32, 50)


def test_the_drawing_gets_waits_speeds_and_ends():
    data = upgrade_race.data([SLOW, FAST], 101)

    assert json.loads(json.dumps(data))["tokens"] == 101
    assert [runner["done_s"] for runner in data["runners"]] == [9.0, 4.5]
    assert data["runners"][0]["name"] == "<b>old</b>"


def test_names_are_set_as_text():
    assert "innerHTML" not in upgrade_race.JS
    assert "insertAdjacentHTML" not in upgrade_race.JS
    assert "textContent = runner.name" in upgrade_race.JS


def test_nothing_is_asked_of_the_network():
    for part in (upgrade_race.HTML, upgrade_race.CSS, upgrade_race.JS):
        assert "http" not in part
        assert "url(" not in part


def test_the_interval_is_said():
    """101 tokens: 3 s + 100 / 25 to 5 s + 100 / 16."""
    assert upgrade_race.range_text(SLOW, 101) == (
        "80 % of runs: first token 3.0–5.0 s, 16–25 tok/s, done 7–11 s"
    )
