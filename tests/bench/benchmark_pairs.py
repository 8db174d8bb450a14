"""Our figure for a whole model beside mlx_lm.benchmark's own, in turns, on the same weights."""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from advisor.bench import imports, whole
from advisor.bench.lock import Lock
from advisor.bench.runner import Runner
from advisor.mlx import blueprint, weights
from tests import small_models
from tests.bench.clock import line

PAIRS = 7
PROMPT, GENERATED = 16, 64
VOCAB = 1024


def save(folder: Path) -> None:
    """A small model in float32, with the least tokenizer that mlx-lm loads."""
    import mlx.core as mx
    from mlx_lm.utils import save_model
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    config = small_models.dense(12, 256, VOCAB)
    paper = blueprint.read(config, bits=None, group_size=None, mode="none")
    model = blueprint.shorter(paper, range(len(paper.kinds)))
    weights.fill(model, {}, mx.float32)
    save_model(folder, model)
    (folder / "config.json").write_text(json.dumps(config))
    words = {f"w{number}": number for number in range(VOCAB)}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="w0"))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="w0", eos_token="w1",
                            pad_token="w2").save_pretrained(folder)  # fmt: skip


def theirs(folder: Path) -> float:
    """Tokens per second by mlx_lm.benchmark, its extra interval taken out."""
    done = subprocess.run(
        [sys.executable, "-m", "mlx_lm.benchmark", "--model", str(folder), "-p", str(PROMPT),
         "-g", str(GENERATED), "-n", "3"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    (found,) = imports.read(done.stdout, model="pair", quant="float32")
    return found.steps[0].decode_tok_s


def ours(folder: Path) -> float:
    """Tokens per second by a whole run at the mean context of theirs."""
    point = whole.of(str(folder), quick=True, metal=False)
    point = replace(point, depths=(PROMPT + GENERATED // 2,), prompt_tokens=(), limit_s=3.0)
    lock = Lock(folder / "lock")
    *_, last = Runner([point], lock=lock).events()
    if last.measurement is None:
        raise RuntimeError(last.text)
    return last.measurement.steps[0].decode_tok_s


def ratios() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        save(folder)
        found = [ours(folder) / theirs(folder) for _ in range(PAIRS)]
    yield line(
        f"our decode figure over mlx_lm.benchmark's, {PAIRS} pairs "
        f"({min(found):.2f}-{max(found):.2f})", f"{statistics.median(found):.3f}", "0.93-1.07",
    )  # fmt: skip


if __name__ == "__main__":
    for text in ratios():
        print(text)
