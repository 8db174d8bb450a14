"""Changed facts move the table, the command line, the page and the download together.

Each case alters one fact in a copy of the catalog and derives what depends on it with the real
build; nothing of the program knows these numbers.
"""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from advisor.catalog import build, load, resolve_runs
from advisor.catalog.load import Catalog
from advisor.estimate import leave_out, plan, speed_build
from tests.browser import open_page, running_app
from tests.views.reading import ROOT, differences, downloaded, fit, grid

RUN, RUN_FILE = "r2917", "llama.cpp-discussion-4167"
TABLE = "Models that fit, with verdict, speed and size"


def double_a_chips_bandwidth(root: Path) -> None:
    path = root / "chips" / "m4-10.toml"
    text = path.read_text("utf-8")
    assert "bandwidth_gb_per_s = 120" in text
    path.write_text(text.replace("bandwidth_gb_per_s = 120", "bandwidth_gb_per_s = 240"), "utf-8")


def double_a_models_layers(root: Path) -> None:
    path = root / "models" / "llama-3.1-8b.json"
    entry = json.loads(path.read_text("utf-8"))
    assert entry["config"]["num_hidden_layers"] == 32
    entry["config"]["num_hidden_layers"] = 64
    path.write_text(json.dumps(entry), "utf-8")
    line, weights = build.derive_model(entry, build._mlx_quants(root))
    _replace_rows(root / build.MODELS_CSV, [line])
    _replace_rows(root / build.WEIGHTS_CSV, weights)


def slow_a_public_run(root: Path) -> None:
    """An M5 Pro has two public runs: one of them a fifth slower weighs in its fitted speeds."""
    path = root / "runs" / f"{RUN_FILE}.csv"
    rows = _read(path)
    (run,) = [row for row in rows if row["id"] == RUN]
    run["decode_tok_s"] = str(float(run["decode_tok_s"]) * 0.8)
    _write(path, rows)
    resolve_runs.build(root)
    speed_build.build(Catalog(root))


def _replace_rows(path: Path, lines: list[dict]) -> None:
    """Put freshly derived lines in the place of a model's old ones."""
    rows = _read(path)
    kept = [row for row in rows if row["model_id"] != lines[0]["model_id"]]
    assert len(rows) - len(kept) == len(lines)
    _write(path, kept + lines)


def _read(path: Path) -> list[dict]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _write(path: Path, rows: list[dict]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def quick_fit(monkeypatch):
    """The build's fit without leaving every source out, which only its error figures need."""

    def as_measured(data, of, only=None):
        return data.step_s * np.where(np.arange(len(data)) % 2, 1.1, 1 / 1.1)

    monkeypatch.setattr(leave_out, "leave_out", as_measured)


# What is altered; where it must show: machine, model, quantization, runtime; the figure that
# moves and by how much: all as facts alone tell.
CASES = {
    "bandwidth": (double_a_chips_bandwidth,
                  ("mac-mini-m4-16", "qwen3-8b", "mlx-4bit", "mlx-lm"), "weights_s", 0.5, 1e-9),
    "layers": (double_a_models_layers,
               ("mac-mini-m4-pro-48", "llama-3.1-8b", "mlx-4bit", "mlx-lm"), "kv_bytes", 2.0, 1e-9),
    # Twenty per cent on one of two runs; the fit shrinks what a single run says.
    "run": (slow_a_public_run,
            ("mac-mini-m5-pro-48", "llama-2-7b", "F16", "llama.cpp"), "decode_tok_s", 0.95, 0.05),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_changed_fact_moves_everything_together(case, tmp_path, page, quick_fit):
    alter, (machine, model, quant, runtime), figure, factor, tolerance = CASES[case]
    root = tmp_path / "catalog"
    shutil.copytree(ROOT / "catalog", root)
    before = table_row(load(), machine, model, quant, runtime)

    alter(root)

    after = table_row(load(root), machine, model, quant, runtime)
    assert after[figure] / before[figure] == pytest.approx(factor, rel=tolerance)
    assert abs(after["decode_tok_s"] / before["decode_tok_s"] - 1) > 0.002
    there = {"TOLLBOOTH_CATALOG": str(root)}
    answer = fit(machine, "--runtime", runtime, **there)[model, quant]
    assert answer["decode_tok_s"] == pytest.approx(after["decode_tok_s"], rel=1e-9)
    assert answer[figure] == pytest.approx(after[figure], rel=1e-9)
    page.set_viewport_size({"width": 2400, "height": 1000})
    with running_app(**there) as url:
        here = f"a={machine}&b={machine}&rt={runtime}"
        open_page(page, f"{url}/fit?{here}&quants=all&q={model}+{quant}")
        name = load(root).model(model).name  # other models' names may hold it too
        (shown,) = [row for row in grid(page, TABLE) if row["Quant"] == quant
                    and row["Model"] == name]  # fmt: skip
        assert float(shown["Decode (tok/s)"]) == pytest.approx(after["decode_tok_s"])
        (kept,) = [row for row in downloaded(page, "Download these") if row["quant"] == quant
                   and row["model"] == model]  # fmt: skip
        assert differences(kept, answer) == []
        open_page(page, f"{url}/speed?{here}&m={model}&quant={quant}")
        curve = {row["context_tokens"]: row for row in downloaded(page, "Curves")}
        at = curve[str(plan.DEFAULT_CONTEXT_TOKENS // 2)]
        point = table_row(load(root), machine, model, quant, runtime, context=4096)
        assert float(at["decode_tok_s"]) == pytest.approx(point["decode_tok_s"], rel=1e-9)
        if case == "run":
            points = {row["id"]: row for row in downloaded(page, "Public runs drawn")}
            printed = load().runs.set_index("id").at[RUN, "decode_tok_s"]
            assert float(points[RUN]["decode_tok_s"]) == pytest.approx(printed * 0.8)


def table_row(
    catalog: Catalog, machine: str, model: str, quant: str, runtime: str, context: int = 8192
) -> dict:
    """The engine's row of one choice."""
    table = plan.table(
        catalog, [catalog.machine(machine)], context_tokens=context, runtime=runtime,
        model_ids=[model], quant_ids=[quant],
    )  # fmt: skip
    return table.iloc[0].to_dict()
