"""An unknown id is answered with the nearest known one, or with what there is."""

import pytest

from advisor.errors import AdvisorError, CatalogError, InputError, unknown

NAMES = ["m4-10", "m4-pro-16", "m4-max-40"]
SENTENCES = {  # what was given -> the sentence
    "nearly right": ("m4-pro-61", "No chip is called 'm4-pro-61'. Nearest: m4-pro-16."),
    "other case": ("M4-MAX-40x", "No chip is called 'M4-MAX-40x'. Nearest: m4-max-40."),
    "nothing like it": ("zz", "No chip is called 'zz'. Known: m4-10, m4-pro-16, m4-max-40."),
}


@pytest.mark.parametrize(("given", "sentence"), SENTENCES.values(), ids=SENTENCES)
def test_the_next_step_is_in_the_sentence(given, sentence):
    assert str(unknown("chip", given, NAMES)) == sentence


def test_many_known_names_are_cut_short():
    said = str(unknown("model", "zz", [f"model-{letter}{letter}" for letter in "abcdefghijk"]))

    assert said.endswith("model-gg, model-hh, …")


def test_the_place_is_said():
    assert "in catalog/chips/" in str(unknown("chip", "zz", NAMES, "catalog/chips/"))


def test_both_kinds_are_caught_as_one():
    assert issubclass(InputError, AdvisorError)
    assert issubclass(CatalogError, AdvisorError)
