"""A finished run survives the way through JSON, and its rates are one over its times."""

import json

from advisor.bench.measurement import Measurement, PromptAt, StepAt

STEP = StepAt(512, 0.02, 0.019, 0.021, 0.02, 5, (0.02, 0.021), (0.005, 0.009))
FOUND = Measurement(
    kind="slice", model="m", quant_id="mlx-4bit", steps=(STEP,),
    prompts=(PromptAt(128, 0.5, 0.4, 0.6, 3),), how="How.", slices=({"layers": {"a": 2}},),
    outside_s=0.003, experts_touched=0, peak_memory_bytes=1, weight_bytes=2, layers=28, metal=True,
    device="Apple M4", dtype="bfloat16", runtime="mlx-lm", runtime_version="0.32",
    mlx_version="0.32", warnings=("w",),
)  # fmt: skip


def test_a_measurement_survives_json():
    assert Measurement.from_dict(json.loads(json.dumps(FOUND.to_dict()))) == FOUND


def test_rates_are_one_over_times():
    assert STEP.decode_tok_s == 50
    assert FOUND.prompts[0].prefill_tok_s == 256
