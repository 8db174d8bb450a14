"""What tells cases apart is what the catalog says of their models."""

from dataclasses import replace

import numpy as np
import pytest

from advisor.estimate import corrections, plan
from advisor.estimate.calibration import TYPICAL_OVERHEAD, Features, Known, Spread, learn
from advisor.estimate.cases import Cases
from advisor.estimate.corrections import Correction


def test_features_are_those_of_the_model(catalog):
    names = [("qwen3-8b", "mlx-4bit"), ("qwen3-8b", "mlx-8bit"), ("qwen3-30b-a3b", "mlx-4bit")]
    variant = np.array([catalog.variant_index(*name) for name in names])

    seen = corrections.features(catalog, variant, np.array([0.1, 0.2, 0.3]), np.zeros(3))

    assert seen.model[0] == seen.model[1] != seen.model[2]
    assert len(set(seen.variant)) == 3
    assert seen.kind.tolist() == [False, False, True]  # experts or not
    assert seen.architecture[0] != seen.architecture[2]
    assert seen.overhead.tolist() == [0.1, 0.2, 0.3]


def knows(error: float, **parts: float) -> Known:
    """What one run teaches that took exp(``error``) times as long as predicted."""
    none = dict.fromkeys(Spread.__slots__, 0.0)
    code = np.array([-1])  # no model of the catalog: what it has of its own stays with it
    run = Features(np.array([TYPICAL_OVERHEAD]), np.zeros(1), code, code, code, code)
    return learn(Spread(**(none | parts)), run, np.array([error]))


def answer(catalog, machine, given=()):
    cases = Cases(
        machine=np.array([0]),
        variant=np.array([catalog.variant_index("qwen3-8b", "mlx-4bit")]),
        runtime=np.array([catalog.runtime_ids.index("mlx-lm")]),
        context_tokens=np.array([512.0]),
        kv_bits=np.array(16),
        batch=np.array(1),
    )
    found = plan.answer(catalog, [machine], cases, given)
    return {name: np.ravel(values)[0] for name, values in found.items()}


def correction(catalog, decode: Known, chips=("m4-pro-16",)) -> Correction:
    return Correction(frozenset(chips), catalog.runtime_ids.index("mlx-lm"), 0, decode, None)


def test_a_quarter_of_the_offset_goes_to_other_macs(catalog):
    """A run of a machine 0.2 slower, half of it taken as the machine's: 0.1, a quarter 0.025."""
    own = correction(catalog, knows(0.2, offset=0.1, noise=0.1))
    other = catalog.machine("mac-mini-m4-16")
    carried = replace(other, taught=(own.on_other_macs("M4 Pro"),))

    before, after = answer(catalog, other), answer(catalog, carried)

    assert after["step_s"] / before["step_s"] == pytest.approx(np.exp(0.025))
    assert after["basis"] == "calibrated"


def test_what_a_model_has_of_its_own_stays_on_the_mac_that_ran_it(catalog):
    known = knows(0.2, model=0.1, noise=0.1)

    assert known.offset == 0.0


def half_width(found) -> float:
    return np.log(found["decode_high"] / found["decode_tok_s"])


ERRORS = {"as predicted": 0.0, "far from it": 0.5}


@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
def test_a_carried_interval_is_never_narrower(catalog, error):
    """Neither than without runs, nor than that of the Mac that was measured."""
    own = correction(catalog, knows(error, offset=0.1, noise=0.1), ("m4-10",))
    m4 = catalog.machine("mac-mini-m4-16")
    carried = replace(m4, taught=(own.on_other_macs("M4"),))

    plain, mine, other = answer(catalog, m4), answer(catalog, m4, [own]), answer(catalog, carried)

    assert half_width(other) >= half_width(mine) - 1e-12
    assert half_width(other) >= half_width(plain) - 1e-12


def test_a_file_that_is_given_goes_before_what_is_carried_over(catalog):
    carried = correction(catalog, knows(0.2, offset=0.1, noise=0.1)).on_other_macs("M4 Pro")
    given = correction(catalog, knows(-0.2, offset=0.1, noise=0.1), ("m4-10",))
    machine = replace(catalog.machine("mac-mini-m4-16"), taught=(carried,))

    assert corrections.in_order([given], [machine, machine]) == (carried, given)
    assert answer(catalog, machine, [given])["step_s"] < answer(catalog, machine)["step_s"]
