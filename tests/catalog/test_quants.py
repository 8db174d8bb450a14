"""Every GGUF quantization has its measured bits, and no other states any."""

import shutil

import pytest

from advisor.catalog import load
from advisor.catalog.quants import quants
from advisor.errors import CatalogError


@pytest.fixture
def root(tmp_path):
    shutil.copytree(load().root, tmp_path / "catalog")
    return tmp_path / "catalog"


def test_gguf_bits_are_those_measured():
    found = load().quants

    # Q8_0 stores 34 bytes for 32 weights: 8.5 bits.
    assert found["Q8_0"].bits_per_weight == pytest.approx(8.5, abs=0.05)
    assert found["mlx-4bit"].bits_per_weight is None


BROKEN = {  # what is done to gguf_bpw.csv -> what is said
    "a row gone": (lambda rows: [row for row in rows if not row.startswith("Q8_0,")],
                   "needs a row"),
    "a stranger": (lambda rows: [*rows, rows[-1].replace(rows[-1].split(",")[0], "Q99", 1)],
                   "not in quants.toml"),
    "twice": (lambda rows: [*rows, rows[-1]], "there twice"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), BROKEN.values(), ids=BROKEN)
def test_a_broken_table_is_a_sentence(root, change, said):
    path = root / "gguf_bpw.csv"
    path.write_text("\n".join(change(path.read_text().splitlines())) + "\n")

    with pytest.raises(CatalogError, match=said):
        quants(root)
