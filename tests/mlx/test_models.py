"""The names of mlx-lm that this package leans on: a new version that changes one fails here."""

import dataclasses
import inspect

import pytest

from advisor import mlx
from advisor.errors import InputError
from advisor.mlx import models
from tests.mlx.test_configs import LLAMA


def test_mlx_lm_still_finds_classes_by_config():
    from mlx_lm.utils import _get_classes

    model_class, args_class = _get_classes(LLAMA)

    assert dataclasses.is_dataclass(args_class)
    assert model_class.__module__ == "mlx_lm.models.llama"


def test_mlx_lm_still_reads_all_configs_through_one_reader():
    from mlx_lm.models.base import BaseModelArgs

    assert isinstance(BaseModelArgs.__dict__["from_dict"], classmethod)


def test_mlx_lm_still_quantizes_with_a_predicate_and_a_mode():
    from mlx_lm.utils import quantize_model

    names = list(inspect.signature(quantize_model).parameters)

    assert names[:5] == ["model", "config", "group_size", "bits", "mode"]
    assert "quant_predicate" in names


def test_mlx_lm_still_has_these_caches_and_experts():
    from mlx_lm.models import cache, switch_layers

    for name in ("KVCache", "RotatingKVCache", "ChunkedKVCache", "ArraysCache", "CacheList"):
        assert hasattr(cache, name), f"mlx_lm.models.cache.{name} is gone: see advisor/mlx/caches"
    for name in ("SwitchLinear", "QuantizedSwitchLinear"):
        assert hasattr(switch_layers, name), f"{name} is gone: see advisor/mlx/counting"
    assert cache.RotatingKVCache(max_size=7).max_size == 7
    assert cache.ChunkedKVCache(7).chunk_size == 7


def test_the_watched_reader_is_put_back_after_a_failure():
    from mlx_lm.models.base import BaseModelArgs

    before = BaseModelArgs.__dict__["from_dict"]
    with pytest.raises(InputError):
        mlx.describe({**LLAMA, "num_key_value_heads": 3})

    assert BaseModelArgs.__dict__["from_dict"] is before


@pytest.mark.parametrize(
    ("bits", "group_size", "mode"), [(7, 64, "affine"), (4, 64, "int4"), (4, 48, "affine")]
)
def test_an_impossible_quantization_is_refused(bits, group_size, mode):
    with pytest.raises(InputError, match="quantize"):
        mlx.weigh(
            {**LLAMA, "hidden_size": 192, "intermediate_size": 384},
            bits=bits,
            group_size=group_size,
            mode=mode,
        )


def test_the_version_is_the_installed_one():
    import mlx_lm

    assert models.version() == mlx_lm.__version__
