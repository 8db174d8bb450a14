"""A person's figures go before the catalog's; what cannot be is refused in a sentence."""

import pytest

from advisor.errors import InputError
from advisor.upgrade import edits
from advisor.upgrade.edits import Edits

BAD = {
    "a price of 0": (Edits(price={"x": 0.0}), "price of x must be above 0"),
    "a price below 0": (Edits(price={"x": -5.0}), "must be above 0"),
    "watts of 0": (Edits(load_w={"x": 0.0}), "watts at work of x"),
    "free electricity": (Edits(kwh=0.0), "price of a kWh"),
    "a hosted price of 0": (Edits(hosted_out=0.0), "hosted price of output"),
    "prompts below 0": (Edits(hosted_in=-1.0), "must be 0 or more"),
    "no life": (Edits(life_years=0.0), "life in years"),
    "more than all hours": (Edits(duty=1.5), "at most 1, not 1.5"),
    "no currency": (Edits(currency=" "), "A currency is 1 to 8"),
    "a currency that draws": (Edits(currency="<b>"), "A currency is 1 to 8"),
    "an unknown model": (Edits(model_id="llama-9"), "No model is called 'llama-9'"),
}


@pytest.mark.parametrize(("given", "words"), BAD.values(), ids=BAD)
def test_what_cannot_be_is_refused(catalog, given, words):
    with pytest.raises(InputError, match=words):
        edits.check(catalog, given)


def test_without_edits_the_catalogs_figures_count(catalog, minis):
    found = edits.costs(catalog, minis[0], Edits())

    assert (found.price, found.idle_w, found.load_w, found.kwh) == (799, 4, 30.1, 0.18)
    assert (found.hosted_in, found.hosted_out) == (0.02, 0.04)
    assert found.missing == ()


def test_own_figures_go_first(catalog, minis):
    own = Edits(
        price={minis[1].id: 1200.0}, idle_w={minis[1].id: 6.0}, load_w={minis[1].id: 42.0},
        kwh=0.3, hosted_out=0.5,
    )  # fmt: skip

    found = edits.costs(catalog, minis[1], own)

    assert (found.price, found.idle_w, found.load_w, found.kwh) == (1200, 6, 42, 0.3)
    assert (found.hosted_in, found.hosted_out) == (0.02, 0.5)
    assert not found.load_is_most


def test_in_another_currency_the_catalogs_dollars_are_withheld(catalog, minis):
    found = edits.costs(catalog, minis[0], Edits(currency="€"))

    assert (found.price, found.kwh, found.hosted_out) == (None, None, None)
    assert found.load_w == 30.1


def test_machines_and_numbers_as_typed():
    assert edits.by_machine(["Mac-Mini-M4-16=1,299.50"], "The price") == {"mac-mini-m4-16": 1299.5}
    for wrong in ("mac-mini-m4-16", "mac-mini-m4-16=cheap", "mac-mini-m4-16=inf"):
        with pytest.raises(InputError):
            edits.by_machine([wrong], "The price")
