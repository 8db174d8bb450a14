"""What a computer is, in words."""

import pytest

WORDS = {
    "m4-pro-48-macos-26": "a Mac with Apple M4 Pro (Mac16,8)",
    "m1-16-macos-13": "a Mac with Apple M1",
    "intel-macos-13": "a Mac with an Intel processor (iMac19,1)",
    "virtual-macos-26": "a virtual Mac (Apple M1 (Virtual))",
}


@pytest.mark.parametrize(("name", "words"), WORDS.items(), ids=WORDS)
def test_a_computer_is_described(recorded, name, words):
    assert recorded(name).describe() == words


def test_only_apple_silicon_is_what_predictions_are_about(recorded):
    assert recorded("rosetta-m1-macos-14").is_mac
    assert not recorded("intel-macos-13").is_mac
    assert not recorded("virtual-macos-26").is_mac
