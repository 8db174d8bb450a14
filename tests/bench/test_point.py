"""What can be measured, and what cannot, in a sentence."""

import pytest

from advisor.bench import point
from advisor.catalog import load
from advisor.errors import InputError


def test_a_point_survives_the_way_to_the_measuring_process():
    asked = point.of(load(), "qwen3-0.6b", "mlx-4bit")

    assert point.Point.from_json(asked.to_json()) == asked


def test_a_quantization_is_told_as_mlx_knows_it():
    four, full = (point.of(load(), "qwen3-0.6b", quant) for quant in ("mlx-4bit", "bf16"))

    assert (four.bits, four.group_size, four.mode) == (4, 64, "affine")
    assert (full.bits, full.group_size, full.mode) == (None, None, "none")


@pytest.mark.parametrize(
    ("model", "quant", "said"),
    [
        ("qwen3-0.6b", "Q4_K_M", "llama-bench"),
        ("qwen3-0.6b", "mlx-9bit", "No quantization"),
        ("qwen3-0.7b", "mlx-4bit", "Nearest: qwen3"),
        ("deepseek-v4-flash", "mlx-4bit", "cannot be measured"),
    ],
)
def test_what_cannot_be_measured_is_refused(model, quant, said):
    with pytest.raises(InputError, match=said):
        point.of(load(), model, quant)


@pytest.mark.parametrize("metal", [True, False])
def test_a_quick_calibration_has_six_points_over_sizes_and_kinds(metal):
    catalog = load()
    found = list(point.chosen(catalog, [], [], quick=True, metal=metal))
    kinds = {catalog.shapes.loc[one.model, "kind"] for one in found}

    assert len(found) == 6
    assert {"dense", "hybrid"} <= kinds
    assert {one.quant_id for one in found} >= {"mlx-4bit", "mlx-8bit"}


def test_models_are_measured_in_every_quantization_asked_for():
    found = point.chosen(load(), ["qwen3-0.6b"], ["mlx-4bit", "mlx-8bit"], quick=False, metal=True)

    assert [one.label for one in found] == ["qwen3-0.6b mlx-4bit", "qwen3-0.6b mlx-8bit"]
