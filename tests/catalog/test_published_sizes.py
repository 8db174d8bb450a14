"""Sizes are read in their true unit, and what they are rounded to is known."""

import pytest

from advisor.catalog import load
from advisor.catalog.published_sizes import published_sizes
from advisor.errors import CatalogError

RULES = "same_shape_words = []\nmakers = []\ndefault_texts = []\nollama_default_quants = []\n"
HEADER = "name,format,quant,size,unit,source_url\n"


@pytest.fixture
def sizes(facts):
    """Read one printed row in a catalog without models."""

    def read(row):
        (facts / "sizes").mkdir()
        (facts / "sizes" / "a.csv").write_text(HEADER + row + "\n", encoding="utf-8")
        (facts / "names.toml").write_text(RULES, encoding="utf-8")
        return published_sizes(load(facts))

    return read


PRINTED = {  # size, unit -> bytes, step: by hand
    ("12109566560", "bytes"): (12_109_566_560, 0),
    ("4637851648", "bytes"): (4_637_851_648, 2**20),
    ("3340000000", "bytes"): (3_340_000_000, 10**6),
    ("4.7", "GiB"): (4.7 * 2**30, 0.1 * 2**30),
    ("690.4", "MiB"): (690.4 * 2**20, 0.1 * 2**20),
    ("4.9", "GB"): (4.9e9, 1e8),
    ("14.0", "GB"): (14e9, 1e9),
    ("398.0", "MB"): (398e6, 1e6),
    ("1.3", "TB"): (1.3e12, 1e11),
}


@pytest.mark.parametrize(("given", "meant"), PRINTED.items(), ids=map(" ".join, PRINTED))
def test_a_printed_size_is_bytes_and_a_rounding_step(sizes, given, meant):
    size = sizes(f"org/X,gguf,Q4_K_M,{given[0]},{given[1]},https://example.com")[0]

    assert (size.size_bytes, size.step_bytes) == pytest.approx(meant)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("org/X,gguf,Q4_K_M,4.7,GIB,u", "unit 'GIB' is not one of bytes, KiB"),
        ("org/X,onnx,Q4_K_M,4.7,GiB,u", "format 'onnx' is not mlx, gguf or ollama"),
        ("org/X,gguf,Q4_K_M,much,GiB,u", "size 'much' is no number above 0"),
        ("org/X,gguf,Q4_K_M,0,GiB,u", "size '0' is no number above 0"),
    ],
)
def test_a_row_that_cannot_be_is_refused(sizes, row, said):
    with pytest.raises(CatalogError, match=said):
        sizes(row)
