"""The catalog's tables as arrays."""

import numpy as np

from advisor.catalog import Catalog
from advisor.estimate.arrays import FORMATS, arrays


def test_arrays_are_made_once_for_a_catalog(catalog: Catalog) -> None:
    assert arrays(catalog) is arrays(catalog)


def test_an_entry_is_a_row_of_the_variants(catalog: Catalog) -> None:
    v = arrays(catalog).variants
    row = catalog.variant_index("gpt-oss-20b", "Q4_K_M")

    assert FORMATS[v.format[row]] == "gguf"
    assert catalog.model_ids[v.model[row]] == "gpt-oss-20b"
    assert v.expert_share[row] == 4 / 32
    assert v.window_tokens[row] == 128
    assert list(np.array(FORMATS, dtype=object)[v.format]) == list(catalog.variants["format"])


def test_mlx_alone_cannot_narrow_the_cache_of_sliding_layers(catalog: Catalog) -> None:
    quantizes = arrays(catalog).variants.cache_quantizes

    assert not quantizes[catalog.variant_index("gpt-oss-20b", "mlx-4bit")]
    assert quantizes[catalog.variant_index("gpt-oss-20b", "Q4_K_M")]
    assert quantizes[catalog.variant_index("qwen3-8b", "mlx-4bit")]
