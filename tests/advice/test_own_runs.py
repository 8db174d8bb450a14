"""Runs of this Mac that count correct its numbers everywhere, and no other machine's."""

from dataclasses import replace

import pytest

from advisor.advice import own_runs, this_machine
from advisor.catalog import load
from advisor.catalog.shapes import Machine
from advisor.estimate import plan
from advisor.runs import RunMachine, new, open_store

MAC = RunMachine(chip="M4 Pro", gpu_cores=16, memory_gb=48.0, macos="26.2", is_mac=True)
MODELS = ("qwen3-8b", "llama-3.1-8b", "qwen3-4b")


def speed(machine: Machine, model: str = "qwen3-14b", **asked):
    table = plan.table(
        load(), [machine], model_ids=[model], quant_ids=["mlx-4bit"], context_tokens=512, **asked
    )
    return table.iloc[0]


def keep(machine: Machine, factor: float, who: RunMachine = MAC, **fields) -> None:
    """Runs of three models at a factor of what is predicted."""
    with open_store() as store:
        for model in MODELS:
            decode = float(speed(replace(machine, taught=()), model)["decode_tok_s"]) * factor
            run = new(kind="slice", machine=who, runtime="mlx-lm", model=model, model_id=model,
                      quant="mlx-4bit", quant_id="mlx-4bit", context_tokens=512,
                      decode_tok_s=decode, **fields)  # fmt: skip
            store.add(run)


def test_without_runs_it_is_a_machine_like_any_other(this_mac):
    assert this_mac.taught == ()
    assert speed(this_mac)["basis"] == "predicted"


def test_slow_runs_slow_what_this_mac_has_not_run(this_mac):
    before = speed(this_mac)
    keep(this_mac, 0.8)

    after = speed(this_machine.find(load(), "this"))

    assert after["basis"] == "calibrated"
    assert 0.8 < after["decode_tok_s"] / before["decode_tok_s"] < 0.93
    assert after["decode_low"] < after["decode_tok_s"] < after["decode_high"]


def test_the_same_chip_in_another_mac_stays_predicted(this_mac):
    keep(this_mac, 0.8)
    this, other = this_machine.find(load(), "this"), load().machine("mac-mini-m4-pro-48")

    table = plan.table(load(), [this, other], model_ids=["qwen3-14b"], quant_ids=["mlx-4bit"])

    assert table.set_index("machine_id")["basis"].to_dict() == {
        "this": "calibrated",
        "mac-mini-m4-pro-48": "predicted",
    }


def test_a_run_that_does_not_count_teaches_nothing(this_mac):
    keep(this_mac, 0.8)
    with open_store() as store:
        store.set_used(None, False)

    assert this_machine.find(load(), "this").taught == ()


STRANGERS = {
    "a computer that is no Mac": RunMachine(chip="x86_64", is_mac=False),
    "another chip": RunMachine(chip="M4", gpu_cores=10, is_mac=True),
    "another bin": RunMachine(chip="M4 Pro", gpu_cores=20, is_mac=True),
}


@pytest.mark.parametrize("who", STRANGERS.values(), ids=STRANGERS)
def test_runs_of_others_never_touch_this_mac(this_mac, who):
    keep(this_mac, 0.8, who)

    assert this_machine.find(load(), "this").taught == ()


def test_a_cache_by_its_key_sees_new_runs(this_mac):
    keep(this_mac, 0.8)

    assert this_machine.find(load(), "this").key != this_mac.key


def test_a_broken_store_teaches_nothing(this_mac, tmp_path):
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "runs.sqlite3").write_text("not a database")

    assert this_machine.find(load(), "this").taught == ()


def test_the_odd_run_is_told_from_those_that_are_used(this_mac):
    keep(this_mac, 1.0)
    with open_store() as store:
        run = store.runs()[0]
        odd = new(**{**{name: getattr(run, name) for name in (
            "kind", "machine", "runtime", "model", "model_id", "quant", "quant_id",
            "context_tokens")}, "decode_tok_s": 0.1})  # fmt: skip
        store.add(odd)

    found = own_runs.taught(load(), this_machine.find(load(), "this"))

    assert found.odd == (odd.id,)
    assert len(found.used) == 3


def test_other_macs_get_a_part_of_it_with_an_interval_no_narrower(this_mac):
    plain = load().machine("mac-mini-m4-16")
    keep(this_mac, 0.8)

    before, after = speed(plain), speed(this_machine.find(load(), "mac-mini-m4-16"))
    own = speed(this_machine.find(load(), "this"))["decode_tok_s"] / speed(this_mac)["decode_tok_s"]

    carried = after["decode_tok_s"] / before["decode_tok_s"]
    assert own < carried < 1
    assert after["basis"] == "calibrated"
    assert (
        after["decode_high"] / after["decode_low"] >= before["decode_high"] / before["decode_low"]
    )


def test_another_engine_stays_predicted_on_other_macs(this_mac):
    keep(this_mac, 0.8)
    found = this_machine.find(load(), "mac-mini-m4-16")

    assert speed(found, runtime="omlx")["basis"] == "predicted"


def test_runs_of_no_mac_carry_nothing_over(this_mac):
    keep(this_mac, 0.8, RunMachine(chip="x86_64", is_mac=False))

    assert this_machine.find(load(), "mac-mini-m4-16").taught == ()


def test_what_was_measured_stands_beside_the_estimate_whole_models_first(this_mac):
    keep(this_mac, 0.9, created="2026-12-01T10:00:00Z")
    with open_store() as store:
        whole = new(kind="whole", machine=MAC, runtime="mlx-lm", model="qwen3-8b",
                    model_id="qwen3-8b", quant="mlx-4bit", quant_id="mlx-4bit",
                    context_tokens=600, decode_tok_s=41.0)  # fmt: skip
        store.add(whole)
    this = this_machine.find(load(), "this")

    def found(model, tokens, runtime="mlx-lm"):
        return own_runs.measured(load(), this, model, "mlx-4bit", runtime, tokens)

    assert found("qwen3-8b", 512) == whole
    assert found("qwen3-4b", 700).kind == "slice"  # within a half of 512
    assert found("qwen3-4b", 800) is None
    assert found("qwen3-8b", 512, "omlx") is None
