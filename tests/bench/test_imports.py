"""Figures of other programs, as they print them."""

import json

import pytest

from advisor.bench import imports
from advisor.errors import InputError

ROW = {
    "build_commit": "5a1b2c3", "build_number": 4567, "cpu_info": "Apple M4 Pro",
    "gpu_info": "Apple M4 Pro", "backends": "Metal,BLAS",
    "model_filename": "/models/Qwen3-8B-Q4_K_M.gguf", "model_type": "qwen3 8B Q4_K - Medium",
    "model_size": 5021782016, "model_n_params": 8190735360, "n_gpu_layers": 99, "type_k": "f16",
    "type_v": "f16", "flash_attn": True, "n_depth": 0,
}  # fmt: skip
PROMPT = {**ROW, "n_prompt": 512, "n_gen": 0, "samples_ns": [1_000_000_000, 1_024_000_000],
          "avg_ts": 505.9}  # fmt: skip
DECODE = {**ROW, "n_prompt": 0, "n_gen": 128, "n_depth": 4096,
          "samples_ns": [2_560_000_000, 2_560_000_000, 2_688_000_000]}  # fmt: skip
OLLAMA = """$ ollama run llama3.1:8b --verbose
>>> Hi
Hello!

total duration:       2m27.989997625s
load duration:        559.665542ms
prompt eval count:    13 token(s)
prompt eval duration: 650ms
prompt eval rate:     20.00 tokens/s
eval count:           100 token(s)
eval duration:        1m2.5s
eval rate:            1.60 tokens/s
"""
MLX_LM = """Running warmup..
Timing with prompt_tokens=512, generation_tokens=101, batch_size=1.
Trial 1:  prompt_tps=256.000, generation_tps=10.100, peak_memory=0.128, total_time=9.248
Trial 2:  prompt_tps=256.000, generation_tps=10.100, peak_memory=0.256, total_time=9.100
Averages: prompt_tps=256.000, generation_tps=10.100, peak_memory=0.192
"""


@pytest.mark.parametrize(
    "text", [json.dumps([PROMPT, DECODE]), f"{json.dumps(PROMPT)}\n{json.dumps(DECODE)}\n"]
)
def test_llama_bench_gives_one_measurement_a_model(text):
    (found,) = imports.read(text)

    assert (found.model, found.quant_id, found.runtime) == ("Qwen3-8B", "Q4_K_M", "llama.cpp")
    assert found.runtime_version == "4567"
    # 2.56 s for 128 tokens after 4096, so a mean context of 4160
    assert (found.steps[0].context_tokens, found.steps[0].step_s) == (4160, pytest.approx(0.02))
    assert found.prompts[0].prefill_tok_s == pytest.approx(512 / 1.012)
    assert found.metal


def test_files_of_two_models_are_two_measurements():
    other = {**DECODE, "model_filename": "other-IQ4_XS.gguf"}

    found = imports.read(json.dumps([DECODE, other]))

    assert [(one.model, one.quant_id) for one in found] == [
        ("Qwen3-8B", "Q4_K_M"), ("other", "IQ4_XS"),
    ]  # fmt: skip


def test_mlx_lm_benchmark_is_corrected_for_the_interval_it_counts_too_many():
    (found,) = imports.read(MLX_LM, model="qwen3-0.6b", quant="mlx-4bit")

    # 10.1 tokens/s as printed, of 101 tokens: 10.1 x 100 / 101
    assert found.steps[0].decode_tok_s == pytest.approx(10.0)
    assert found.steps[0].context_tokens == 562
    assert found.prompts[0].prefill_tok_s == pytest.approx(256)
    assert found.peak_memory_bytes == 256_000_000


def test_ollama_names_its_model_and_its_rates_come_from_counts_and_durations():
    (found,) = imports.read(OLLAMA)

    assert (found.model, found.runtime) == ("llama3.1:8b", "ollama")
    assert found.steps[0].step_s == pytest.approx(0.625)
    assert found.prompts[0].prefill_tok_s == pytest.approx(20)


DURATIONS = {"2m27.5s": 147.5, "204.563ms": 0.204563, "891.933µs": 0.000891933, "1h0m1s": 3601}


@pytest.mark.parametrize(("text", "seconds"), DURATIONS.items(), ids=DURATIONS)
def test_durations_are_read_as_go_writes_them(text, seconds):
    assert imports.duration_s(text) == pytest.approx(seconds)


BROKEN = {
    "nothing we know": ("hello", "No figures were found"),
    "broken JSON": ("[{", "is broken"),
    "JSON of another program": ('[{"a": 1}]', "has no model_filename"),
    "an empty list": ("[]", "measured nothing"),
    "no model": (MLX_LM, "give it with --model"),
    "no sizes": ("\n".join(MLX_LM.splitlines()[2:]), "context is not known"),
    "a batch": (MLX_LM.replace("batch_size=1", "batch_size=4"), "4 sequences at once"),
    "half an answer": (OLLAMA.replace("eval duration:        1m2.5s\n", ""), "in pairs"),
}


@pytest.mark.parametrize(("text", "said"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_read_is_told(text, said):
    with pytest.raises(InputError, match=said):
        imports.read(text)
