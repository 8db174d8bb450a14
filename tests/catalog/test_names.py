"""Names as people write them mean one model and quantization, or are unknown with the reason."""

import csv
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.catalog import load
from advisor.catalog.names import resolve

CATALOG = load()

# what people write: model, quant, runtime -> model id, quant id
ROWS = {
    "hub id": ("Qwen/Qwen3-8B", "mlx-4bit", "mlx-lm", "qwen3-8b", "mlx-4bit"),
    "plain name": ("Llama-3.1-8B-Instruct", "Q4_K_M", "llama.cpp", "llama-3.1-8b", "Q4_K_M"),
    "MLX repository": (
        "mlx-community/Meta-Llama-3.1-8B-Instruct-4bit", "", "mlx-lm", "llama-3.1-8b", "mlx-4bit",
    ),
    "LM Studio's MLX repository": (
        "lmstudio-community/Qwen3-8B-MLX-8bit", "", "lmstudio-mlx", "qwen3-8b", "mlx-8bit",
    ),
    "Ollama tag": ("llama3.1:8b-instruct-q4_K_M", "", "ollama", "llama-3.1-8b", "Q4_K_M"),
    "Ollama tag of a MoE": ("qwen3:30b-a3b-q4_K_M", "", "ollama", "qwen3-30b-a3b", "Q4_K_M"),
    "Ollama tag and column": ("llama3.1:8b", "q8_0", "ollama", "llama-3.1-8b", "Q8_0"),
    "Ollama tag of a hub file": (
        "hf.co/bartowski/Qwen_Qwen3-8B-GGUF:Q4_K_M", "", "ollama", "qwen3-8b", "Q4_K_M",
    ),
    "GGUF file": ("Qwen3-8B-Q4_K_M.gguf", "", "llama.cpp", "qwen3-8b", "Q4_K_M"),
    "GGUF file in a folder": (
        "~/models/Qwen3-8B-Q4_K_M.gguf", "", "llama.cpp", "qwen3-8b", "Q4_K_M",
    ),
    "first of three parts": (
        "gpt-oss-120b-mxfp4-00001-of-00003.gguf", "", "llama.cpp", "gpt-oss-120b", "MXFP4_MOE",
    ),
    "link to a file": (
        "https://huggingface.co/unsloth/gemma-3n-E4B-it-GGUF/resolve/main/"
        "gemma-3n-E4B-it-Q4_K_M.gguf?download=true",
        "", "llama.cpp", "gemma-3n-e4b", "Q4_K_M",
    ),
    "dot before the quant": (
        "Meta-Llama-3-8B-Instruct.Q4_0.gguf", "", "llama.cpp", "llama-3-8b", "Q4_0",
    ),
    "maker in the file name": (
        "mistralai_Magistral-Small-2509-Q6_K.gguf", "", "llama.cpp", "magistral-small-2509", "Q6_K",
    ),
    "nvidia twice": (
        "bartowski/nvidia_NVIDIA-Nemotron-Nano-12B-v2-GGUF", "Q4_K_M", "llama.cpp",
        "nemotron-nano-12b-v2", "Q4_K_M",
    ),
    "second LLaMA": ("LLaMA-7B-v2", "Q4_0", "llama.cpp", "llama-2-7b", "Q4_0"),
    "hub id of Llama 2": ("meta-llama/Llama-2-7b-chat-hf", "F16", "llama.cpp", "llama-2-7b", "F16"),
    "Coder Next": (
        "Qwen3-Coder-Next-80B-A3B", "mlx-4bit", "omlx", "qwen3-coder-next", "mlx-4bit",
    ),
    "Coder Next with underscores": (
        "qwen3_coder_next_4bit", "", "mlx-lm", "qwen3-coder-next", "mlx-4bit",
    ),
    "underscore for a point": (
        "qwen3_6_35b_a3b_8bit", "mlx-8bit", "mlx-lm", "qwen3.6-35b-a3b", "mlx-8bit",
    ),
    "hyphen after the family": ("qwen-2.5-coder-3b-it", "8bit", "lmstudio-gguf",
                                "qwen2.5-coder-3b", "Q8_0"),
    "Gemma for edges": ("gemma-4-E2B-it", "mlx-4bit", "mlx-lm", "gemma-4-e2b", "mlx-4bit"),
    "2507 is a release": (
        "Qwen3-30B-A3B-Instruct-2507", "mlx-4bit", "mlx-lm", "qwen3-30b-a3b-2507", "mlx-4bit",
    ),
    "thinking 2507": (
        "qwen3-4b-thinking-2507-q8_0.gguf", "", "llama.cpp", "qwen3-4b-2507", "Q8_0",
    ),
    "distilled into Qwen3-8B": (
        "DeepSeek-R1-0528-Qwen3-8B", "8bit", "lmstudio-gguf", "qwen3-8b", "Q8_0",
    ),
    "distilled, Ollama's tag": (
        "deepseek-r1:14b", "q4_K_M", "ollama", "deepseek-r1-distill-qwen-14b", "Q4_K_M",
    ),
    "QAT": ("gemma3:12b-it-qat", "Q4_0", "ollama", "gemma-3-12b", "Q4_0"),
    "reasoning": ("Phi-4-reasoning-plus", "Q4_K_M", "ollama", "phi-4-14b", "Q4_K_M"),
    "phi-4": ("phi-4", "mlx-4bit", "mlx-lm", "phi-4-14b", "mlx-4bit"),
    "version after instruct": (
        "Mistral-7B-Instruct-v0.3-4bit", "", "mlx-lm", "mistral-7b-v0.3", "mlx-4bit",
    ),
    "spaces": ("Llama 3.2 1B Instruct", "Q4_K_M", "other", "llama-3.2-1b", "Q4_K_M"),
    "catalog id": ("gpt-oss-20b", "mxfp4", "mlx-lm", "gpt-oss-20b", "mxfp4"),
    "gpt-oss with 8-bit rest": (
        "mlx-community/gpt-oss-20b-MXFP4-Q8", "", "mlx-lm", "gpt-oss-20b", "mxfp4",
    ),
    "Ollama's int4": ("Qwen3.5-35B-A3B", "int4", "ollama", "qwen3.5-35b-a3b", "mlx-4bit-g32"),
    "OLMo without hyphen": ("OLMo2-7B", "mlx-4bit", "mlx-lm", "olmo-2-7b", "mlx-4bit"),
    "runtime by its name": ("Qwen3-8B", "mlx-4bit", "LM Studio (MLX)", "qwen3-8b", "mlx-4bit"),
    "LM Studio's key": ("qwen/qwen3-8b@q4_k_m", "", "lmstudio-gguf", "qwen3-8b", "Q4_K_M"),
    "LM Studio's key, MLX": ("qwen/qwen3-8b@4bit", "", "lmstudio-mlx", "qwen3-8b", "mlx-4bit"),
    "quantization in brackets": ("Qwen3 8B (4-bit)", "", "mlx-lm", "qwen3-8b", "mlx-4bit"),
    "imatrix of a packer": (
        "mradermacher/Qwen3-8B-i1-GGUF/Qwen3-8B.i1-IQ4_XS.gguf", "", "llama.cpp",
        "qwen3-8b", "IQ4_XS",
    ),
    "dated DWQ": (
        "mlx-community/Qwen3-30B-A3B-4bit-DWQ-0508", "", "mlx-lm", "qwen3-30b-a3b", "mlx-4bit",
    ),
    "QAT without a quantization": ("gemma3:27b-it-qat", "", "ollama", "gemma-3-27b", "Q4_0"),
    "DWQ": ("mlx-community/Qwen3-8B-4bit-DWQ", "", "mlx-lm", "qwen3-8b", "mlx-4bit"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("model", "quant", "runtime", "model_id", "quant_id"), ROWS.values(), ids=ROWS
)
def test_a_name_means_its_model_and_quantization(model, quant, runtime, model_id, quant_id):
    found = resolve(CATALOG, model, quant, runtime)

    assert (found.model_id, found.quant_id, found.problem) == (model_id, quant_id, "")


PROBLEMS = {
    "no model": ("", "Q4_K_M", "llama.cpp", "model is empty"),
    "no quant": ("Qwen3-8B", " ", "llama.cpp", "quant is empty"),
    "no runtime": ("Qwen3-8B", "Q4_K_M", "", "runtime is empty"),
    "strange runtime": ("Qwen3-8B", "Q4_K_M", "vllm", "runtime 'vllm' is not one of llama.cpp"),
    "not buildable": (
        "DeepSeek-V4-Flash", "mlx-4bit", "mlx-lm",
        "model 'DeepSeek-V4-Flash' is known but mlx-lm cannot build it",
    ),
    "three v0 models": ("Mistral-7B", "Q4_0", "llama.cpp", "could be mistral-7b-v0.1 or"),
    "Q4 of GGUF": ("Qwen3-8B", "Q4", "llama.cpp", "'Q4' could be Q4_0, Q4_K_S or Q4_K_M"),
    "4 bit of GGUF": ("MiniMax-M2", "4-bit GGUF", "lmstudio-gguf", "Q4_0, Q4_K_S or Q4_K_M"),
    "4 bit of any program": ("Qwen3-8B", "4bit", "other", "quant '4bit' could be mlx-4bit, Q4_0"),
    "mixed experts": ("Qwen3-8B", "q2 (IQ2_XXS/Q2_K experts)", "other", "is not in the catalog"),
    "JANG": ("Qwen3.5-35B-A3B", "JANG_4K", "mlx-lm", "quant 'JANG_4K' is not in the catalog"),
    "oQ8": ("Qwen3-8B", "oQ8", "omlx", "quant 'oQ8' is not in the catalog"),
    "JANG in the name": ("JANGQ-AI/Qwen3.5-35B-A3B-JANG_4K", "", "omlx", "quant 'jang_4k'"),
    "GGUF in mlx-lm": ("Qwen3-8B", "Q4_K_M", "mlx-lm", "of the gguf format, which mlx-lm does not"),
    "MLX in llama.cpp": ("Qwen3-8B", "mlx-4bit", "llama.cpp", "llama.cpp does not run mlx files"),
    "GGUF file in mlx-lm": ("Qwen3-8B-Q8_0.gguf", "", "mlx-lm", "does not run gguf files"),
    "MLX repository in llama.cpp": (
        "mlx-community/Qwen3-8B-4bit", "", "llama.cpp", "llama.cpp does not run mlx files",
    ),
    "name against column": (
        "Qwen3-8B-Q8_0.gguf", "Q4_K_M", "llama.cpp",
        "the model name says 'q8_0', the quant column 'Q4_K_M'",
    ),
    "two quants in the name": ("Qwen3-8B-4bit-fp16", "", "mlx-lm", "quant '4bit-fp16' is not in"),
    "MXFP4-Q8 of another model": ("GLM-5-MXFP4-Q8", "", "mlx-lm", "quant 'mxfp4-q8' is not in"),
    "8-bit groups of 32": ("GLM-4.7-8bit-gs32", "", "mlx-lm", "quant '8bit-gs32' is not in"),
}  # fmt: skip


@pytest.mark.parametrize(("model", "quant", "runtime", "said"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_is_not_understood_is_named(model, quant, runtime, said):
    assert said in resolve(CATALOG, model, quant, runtime).problem


def test_both_parts_are_named_where_both_are_not_understood():
    found = resolve(CATALOG, "MiMo-V2.5", "Q3", "llama.cpp")

    assert found.problem == (
        "model 'MiMo-V2.5' is not in the catalog; quant 'Q3' could be Q3_K_S, Q3_K_M or Q3_K_L"
    )


def test_an_assumption_is_said():
    found = resolve(CATALOG, "gemma-4-26B-A4B-it", "UD-Q6_K", "llama.cpp")

    assert found.quant_id == "Q6_K"
    assert "Unsloth's dynamic mix" in found.assumed[0]


names = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["Qwen3", "Llama", "-", "_", "3.1", "8B", ":", "/", "Q4_K_M", ".gguf", "4bit", "A3B"]
        ),
        max_size=8,
    ).map("".join),
)


@settings(max_examples=300, deadline=None)
@given(model=names, quant=names, runtime=st.sampled_from(["mlx-lm", "ollama", "other", "x", ""]))
def test_any_text_is_known_or_unknown_but_never_an_error(model, quant, runtime):
    found = resolve(CATALOG, model, quant, runtime)

    assert found.problem or (
        found.model_id in CATALOG.model_ids and found.quant_id in CATALOG.quants
    )
    assert found.model_id in {"", *CATALOG.models}
    assert found.quant_id in {"", *CATALOG.quants}


def test_the_public_runs_are_read_in_half_a_second_and_most_are_understood():
    rows = []
    for path in CATALOG.root.glob("runs/*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            rows += list(csv.DictReader(file))
    resolve.cache_clear()

    start = time.perf_counter()
    problems = {
        row["id"]: resolve(CATALOG, row["model"], row["quant"], row["runtime"], row["note"]).problem
        for row in rows
    }
    seconds = time.perf_counter() - start

    named = [row["id"] for row in rows if row["runtime"] != "other"]
    assert len(named) >= 1600
    assert sum(not problems[run] for run in named) / len(named) >= 0.92
    assert seconds < 0.5
