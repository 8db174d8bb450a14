"""The derived tables are what mlx-lm says today, and say so when they are not."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from advisor.catalog import build
from advisor.catalog.load import DEFAULT_ROOT
from advisor.errors import CatalogError

SMALL = ("gemma-3-270m", "smollm2-135m")


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    """A copy of the catalog with two small models, derived tables included."""
    root = tmp_path / "catalog"
    shutil.copytree(DEFAULT_ROOT, root)
    return root


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_checked_in_tables_are_current():
    assert build.check(DEFAULT_ROOT) == []


def test_every_buildable_model_has_its_lines():
    models = rows(DEFAULT_ROOT / build.MODELS_CSV)
    weights = rows(DEFAULT_ROOT / build.WEIGHTS_CSV)

    # 231 published configs; mlx-lm 0.32.2 has no class for three of them.
    assert len(models) == 228
    assert {row["model_id"] for row in models} == {row["model_id"] for row in weights}
    assert len({row["quant_id"] for row in weights}) * 228 == len(weights)


def test_totals_are_those_of_the_published_files():
    computed = {row["model_id"]: row["params"] for row in rows(DEFAULT_ROOT / build.MODELS_CSV)}
    published = rows(DEFAULT_ROOT / "published_params.csv")

    differing = [
        (row["model_id"], row["published_params"], computed[row["model_id"]])
        for row in published
        if computed[row["model_id"]] != row["published_params"]
    ]

    assert len(published) > 100
    assert differing == []


def test_bytes_add_up():
    for row in rows(DEFAULT_ROOT / build.WEIGHTS_CSV):
        read, experts = int(row["dense_read_bytes"]), int(row["expert_bytes"])

        assert read > 0
        assert read + experts <= int(row["weight_bytes"])


def test_a_changed_config_is_found(catalog):
    edit(catalog / "models" / "smollm2-135m.json", '"vocab_size": 49152', '"vocab_size": 49280')

    found = build.check(catalog, sample=SMALL, workers=1)

    # 128 words more, 576 wide.
    assert any("smollm2-135m says params = 134515008, mlx-lm gives 134588736" in s for s in found)
    assert not any("gemma" in sentence for sentence in found)


def test_a_changed_table_is_found(catalog):
    row = next(r for r in rows(catalog / build.WEIGHTS_CSV) if r["model_id"] == "smollm2-135m")
    line = f"{row['model_id']},{row['quant_id']},{row['weight_bytes']}"
    edit(catalog / build.WEIGHTS_CSV, line, f"{row['model_id']},{row['quant_id']},1")

    found = build.check(catalog, sample=SMALL, workers=1)

    assert found == [
        f"derived/weights.csv: smollm2-135m {row['quant_id']} says weight_bytes = 1, "
        f"mlx-lm gives {row['weight_bytes']}."
    ]


def test_a_model_without_a_line_is_found(catalog):
    entry = json.loads((catalog / "models" / "smollm2-135m.json").read_text(encoding="utf-8"))
    entry |= {"id": "new", "name": "New-9B", "hf_id": "a/New-9B", "aliases": []}
    (catalog / "models" / "new.json").write_text(json.dumps(entry), encoding="utf-8")

    found = build.check(catalog, sample=(), workers=1)

    assert "new has no line in derived/models.csv. Run `advisor catalog build`." in found


def test_a_model_that_cannot_be_built_is_named(catalog):
    edit(catalog / "models" / "smollm2-135m.json", '"model_type": "llama"', '"model_type": "lama"')

    with pytest.raises(CatalogError, match=r"models/smollm2-135m\.json: .*'lama'"):
        build.check(catalog, sample=SMALL, workers=1)


def test_missing_tables_are_named(catalog):
    (catalog / build.MODELS_CSV).unlink()

    with pytest.raises(CatalogError, match=r"models\.csv is missing"):
        build.check(catalog, sample=(), workers=1)
