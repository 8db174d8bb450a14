"""The receipt's shares add up, and name what was read."""

from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest

from advisor.catalog import load
from advisor.runs import RunMachine, new, open_store
from advisor.views import receipt


def test_lines_by_hand():
    row = pd.Series(
        {"model_id": "llama-3.1-8b", "step_s": 0.050, "weights_s": 0.040, "kv_s": 0.008,
         "overhead_s": 0.002, "read_weight_bytes": 4.2e9, "read_kv_bytes": 1e9}
    )  # fmt: skip

    found = receipt.lines(load(), load().machine("mac-mini-m4-16"), row)

    assert found.to_numpy().tolist() == [
        ["Weights read", "4.20 GB", "40.0 ms", "80%"],
        ["Cache read", "1.00 GB", "8.0 ms", "16%"],
        ["Overhead", "32 layers", "2.0 ms", "4%"],
        ["One token", "120 GB/s chip", "50.0 ms", "100%"],
    ]


RECORDED = Path(__file__).resolve().parents[1] / "recorded" / "m4-pro-48-macos-26.txt"
MAC = RunMachine(chip="M4 Pro", gpu_cores=16, memory_gb=48.0)


def receipt_script(machine_id: str, model_id: str) -> None:
    from advisor.advice.this_machine import find
    from advisor.catalog import load
    from advisor.estimate import plan
    from advisor.views import receipt

    machine = find(load(), machine_id)
    asked = {"model_ids": [model_id], "quant_ids": ["mlx-4bit"], "context_tokens": 512}
    receipt.show(load(), machine, plan.table(load(), [machine], **asked).iloc[0])


def text_of(machine_id: str, model_id: str = "qwen3-8b") -> str:
    app = AppTest.from_function(receipt_script, args=(machine_id, model_id), default_timeout=60)
    return "\n".join(one.value for one in app.run().markdown)


def test_it_says_what_own_runs_have_to_do_with_it(monkeypatch, tmp_path):
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(RECORDED))
    monkeypatch.setenv("TOLLBOOTH_DATA", str(tmp_path))
    assert "measured" not in text_of("this")
    with open_store() as store:
        run = new(kind="whole", machine=MAC, runtime="mlx-lm", model="qwen3-8b",
                  model_id="qwen3-8b", quant="mlx-4bit", quant_id="mlx-4bit",
                  context_tokens=512, decode_tok_s=50.0)  # fmt: skip
        store.add(run)

    own = text_of("this")

    assert ":blue-badge[measured] 50.0 tok/s, the whole model at 512 tokens" in own
    assert "(calibrated; 80 % interval" in own  # the estimate stays one
    assert "runs of other models" in text_of("this", "qwen3-14b")
    assert "a part of what the runs of your M4 Pro say" in text_of("mac-mini-m4-16")
