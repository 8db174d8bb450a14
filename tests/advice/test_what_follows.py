"""Runs of this computer change what it would do with other models; before and after stand."""

import math

import pytest

from advisor.advice import this_machine
from advisor.advice.run_machine import run_machine
from advisor.advice.what_follows import ON_A_COMPUTER, what_follows
from advisor.catalog import load
from advisor.detect import Detected
from advisor.runs import Run, RunMachine, new, open_store
from tests.advice.test_own_runs import keep, speed

LINUX = Detected("other", "Linux", "6", "x86_64", chip="Xeon", mlx_backend="cpu")


def run(tok_s: float, model: str = "smollm2-135m", machine: RunMachine | None = None) -> Run:
    return new(kind="slice", machine=machine or run_machine(LINUX), runtime="mlx-lm", model=model,
               model_id=model, quant="mlx-4bit", quant_id="mlx-4bit", context_tokens=64,
               decode_tok_s=tok_s)  # fmt: skip


def test_nothing_follows_from_nothing(this_mac):
    assert what_follows(load(), LINUX, []) == ()
    assert what_follows(load(), this_machine.detected(), []) == ()


def test_a_slow_computer_is_slow_with_every_model():
    """A tenth of the speed is a tenth everywhere, since nothing but the runs is known."""
    fast, slow = (what_follows(load(), LINUX, [run(tok_s)]) for tok_s in (100.0, 10.0))

    assert [row.model_id for row in slow] == list(ON_A_COMPUTER)
    for quick, late in zip(fast, slow, strict=True):
        assert quick.after / late.after == pytest.approx(10, rel=0.05)
        assert late.low < late.after < late.high
        assert math.isnan(late.before)
    assert slow[0].measured == 10.0
    assert math.isnan(slow[-1].measured)


STRANGERS = {
    "a Mac": RunMachine(chip="M4 Pro", gpu_cores=16, memory_gb=48),
    "another computer": RunMachine(chip="Ryzen", is_mac=False),
}


@pytest.mark.parametrize("machine", STRANGERS.values(), ids=STRANGERS)
def test_runs_of_others_say_nothing_of_this_computer(machine):
    assert what_follows(load(), LINUX, [run(10.0, machine=machine)]) == ()


def test_on_a_mac_they_are_the_numbers_of_every_page(this_mac):
    before = speed(this_mac, "qwen3-14b")["decode_tok_s"]
    keep(this_mac, 0.8)

    with open_store() as store:
        found = what_follows(load(), this_machine.detected(), store.runs())

    rows = {row.model_id: row for row in found}
    moved = rows["qwen3-14b"]
    assert 0.75 < moved.after / moved.before < 0.95
    assert moved.low < moved.after < moved.high
    assert moved.before < before  # a longer context than that of ``speed``
    assert math.isnan(moved.measured)
