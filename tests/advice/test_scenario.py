"""Links hold ids and numbers; each is checked, and a bad one costs only itself."""

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.advice import scenario
from advisor.advice.scenario import DEFAULT, Scenario
from advisor.catalog import load
from advisor.errors import InputError

# Links that were made once; they must open the same scenario in every later version.
OLD_LINKS = {
    "first release, the essay's pair": (
        {"a": "mac-mini-m4-16", "b": "mac-mini-m4-pro-48"},
        Scenario(),
    ),
    "first release, everything set": (
        {
            "a": "mac-mini-m6-16", "b": "mac-mini-m5-pro-48", "ctx": "32768", "rt": "llama.cpp",
            "macos": "15", "use": "4.5", "kv": "8", "wa": "12000", "wb": "40960", "min": "10",
        },
        Scenario("mac-mini-m6-16", "mac-mini-m5-pro-48", 32768, "llama.cpp", 15, 4.5, 8, 12000,
                 40960, 10.0),
    ),
}  # fmt: skip
BAD = {
    "an unknown machine": ("a", "mac-mini-m4-17", "not sold with 17 GB"),
    "a negative context": ("ctx", "-5", "must be 1 to"),
    "a context that is text": ("ctx", "long", "'long' is not a number"),
    "a context beyond all models": ("ctx", "99999999999", "must be 1 to"),
    "a runtime by another name": ("rt", "mlx", "No runtime is called 'mlx'"),
    "no runtime": ("rt", "", "No runtime is called ''"),
    "a macOS that never was": ("macos", "20", "macOS 20"),
    "more memory in use than there is": ("use", "99", "must be less than the 16 GB"),
    "a cache of seven bits": ("kv", "7", "16, 8 or 4 bits"),
    "a limit above the memory": ("wa", "20000", "more than the 16 GB"),
    "infinity": ("min", "inf", "not a number"),
}


@pytest.mark.parametrize(("link", "expected"), OLD_LINKS.values(), ids=OLD_LINKS)
def test_a_link_made_once_opens_for_ever(link, expected):
    found, problems = scenario.from_link(load(), link)

    assert (found, problems) == (expected, [])


@pytest.mark.parametrize(("key", "value", "said"), BAD.values(), ids=BAD)
def test_a_bad_value_is_said_and_only_it_is_lost(key, value, said):
    link = {"b": "mac-mini-m5-pro-48", key: value}

    found, problems = scenario.from_link(load(), link)

    assert found == replace(DEFAULT, b="mac-mini-m5-pro-48")
    assert len(problems) == 1
    assert said in problems[0]
    assert f"{key}=" in problems[0]


def test_a_scenario_survives_its_own_link():
    changed = Scenario("mac-mini-m6-24", "mac-mini-m4-pro-48", 512, "omlx", 27, 0.5, 4, 0, 1, 0.0)

    assert scenario.from_link(load(), scenario.to_link(changed)) == (changed, [])


def test_keys_of_other_pages_are_left_alone():
    assert scenario.from_link(load(), {"q": "x"}) == (DEFAULT, [])


def test_machines_carry_the_settings():
    first, second = scenario.machines(load(), replace(DEFAULT, use_gb=9, wired_b_mib=40960))

    assert first.in_use_bytes == 9 * 2**30
    assert second.wired_limit_mib == 40960
    with pytest.raises(InputError, match="less than the 16 GB"):
        scenario.machines(load(), replace(DEFAULT, use_gb=16))


def test_this_mac_keeps_its_own_macos_and_what_is_in_use(monkeypatch):
    recording = Path(__file__).resolve().parents[1] / "recorded" / "m4-max-48-macos-15.txt"
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(recording))
    link = {"a": "this", "b": "mac-mini-m4-16", "macos": "27"}

    found, problems = scenario.from_link(load(), link)
    this, other = scenario.machines(load(), found)

    assert (problems, scenario.to_link(found)) == ([], link)
    assert (this.macos, other.macos) == (15, 27)
    assert scenario.machines(load(), replace(found, use_gb=4))[0].in_use_bytes == 4 * 2**30
