"""Measurements become runs, a depth or a prompt each, with their spread and how they were made."""

import json
from dataclasses import replace

import pytest

from advisor.advice.kept_runs import read, runs_of
from advisor.bench.measurement import Measurement, PromptAt, StepAt
from advisor.catalog import load
from advisor.errors import InputError
from advisor.runs import RunMachine, jsonl
from tests.runs.examples import MACHINE, a_run

CATALOG = load()
MEASURED = Measurement(
    kind="slice", model="qwen3-8b", quant_id="mlx-4bit",
    steps=(
        StepAt(0, 0.020, 0.016, 0.025, 0.02, 5, (0.02, 0.021), (0.004, 0.01)),
        StepAt(8192, 0.025, 0.020, 0.040, 0.02, 5, (0.025,), (0.005, 0.012)),
    ),
    prompts=(PromptAt(512, 2.0, 1.6, 2.5, 3),),
    how="2 and 4 of 36 layers.", slices=({"layers": (2,), "weight": -8.0},), outside_s=0.003,
    experts_touched=0, peak_memory_bytes=900_000_000, weight_bytes=4_600_000_000, layers=36,
    metal=True, device="Apple M4 Pro", dtype="float16", runtime="mlx-lm", runtime_version="0.32.2",
    mlx_version="0.32.4", warnings=("The Mac was on battery.",),
)  # fmt: skip
LLAMA_BENCH = {
    "model_filename": "Qwen3-8B-Q4_K_M.gguf", "n_prompt": 0, "n_gen": 128, "n_depth": 0,
    "samples_ns": [2_560_000_000] * 3, "gpu_info": "Apple M2 Max", "build_number": 4567,
}  # fmt: skip


def test_each_depth_and_each_prompt_is_a_run():
    short, long, prompt = runs_of(CATALOG, MEASURED, MACHINE)

    assert [(run.context_tokens, run.decode_tok_s) for run in (short, long)] == [
        (0, 50),
        (8192, 40),
    ]
    assert (long.decode_low, long.decode_high) == (25, 50)
    assert (prompt.prompt_tokens, prompt.prefill_tok_s, prompt.decode_tok_s) == (512, 256, None)
    assert (prompt.settings["prefill_low"], prompt.settings["prefill_high"]) == (204.8, 320)


def test_a_run_says_how_it_was_made():
    run = runs_of(CATALOG, MEASURED, MACHINE)[0]

    assert (run.model_id, run.quant_id, run.is_matched) == ("qwen3-8b", "mlx-4bit", True)
    assert (run.machine, run.peak_memory_bytes) == (replace(MACHINE, memory_gb=48.0), 900_000_000)
    assert run.samples == (0.02, 0.021)
    assert run.settings["slices"] == [{"layers": [2], "weight": -8.0}]
    assert run.settings["how"] == "2 and 4 of 36 layers."
    assert run.warnings == ("The Mac was on battery.",)
    assert run.catalog_digest == CATALOG.digest


def test_a_spread_that_samples_do_not_bound_is_left_out():
    wide = replace(MEASURED, steps=(replace(MEASURED.steps[0], low_s=-0.001),), prompts=())

    (run,) = runs_of(CATALOG, wide, MACHINE)

    assert (run.decode_low, run.decode_high) == (40, None)


def test_a_moment_can_be_given():
    run = runs_of(CATALOG, MEASURED, MACHINE, created="2026-12-01T00:00:00Z")[0]

    assert run.created == "2026-12-01T00:00:00.000Z"


def test_an_export_is_read_as_it_is():
    assert read(CATALOG, "".join(jsonl.lines([a_run()])), MACHINE) == [a_run()]
    assert read(CATALOG, " \n", MACHINE) == []


def test_another_chip_that_llama_bench_names_is_where_it_ran():
    (run,) = read(CATALOG, json.dumps([LLAMA_BENCH]), MACHINE)
    (own,) = read(CATALOG, json.dumps([{**LLAMA_BENCH, "gpu_info": "Apple M4 Pro"}]), MACHINE)

    assert run.machine == RunMachine(chip="M2 Max")
    assert own.machine == replace(MACHINE, memory_gb=48.0)
    assert (run.model_id, run.quant_id, run.runtime, run.kind) == (
        "qwen3-8b", "Q4_K_M", "llama.cpp", "imported",
    )  # fmt: skip


def test_a_text_of_no_program_we_know_is_said():
    with pytest.raises(InputError, match="No figures were found"):
        read(CATALOG, "It was quite fast.", MACHINE)
