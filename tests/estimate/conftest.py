"""The checked-in catalog, and short ways to ask the engine about it."""

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from advisor.catalog import Catalog, load
from advisor.catalog.shapes import Machine
from advisor.estimate.cases import Cases


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return load()


@pytest.fixture(scope="session")
def case(catalog: Catalog) -> Callable[..., Cases]:
    """One model in one quantization, on the first machine given to the engine."""

    def make(
        model_id: str,
        quant_id: str = "mlx-4bit",
        runtime: str = "mlx-lm",
        context_tokens: int = 8192,
        kv_bits: int = 16,
        batch: int = 1,
    ) -> Cases:
        return Cases(
            machine=np.array([0]),
            variant=np.array([catalog.variant_index(model_id, quant_id)]),
            runtime=np.array([catalog.runtime_ids.index(runtime)]),
            context_tokens=np.array([context_tokens]),
            kv_bits=np.array([kv_bits]),
            batch=np.array([batch]),
        )

    return make


@pytest.fixture(scope="session")
def m4_16(catalog: Catalog) -> Machine:
    return catalog.machine("mac-mini-m4-16")


@pytest.fixture(scope="session")
def m4_pro_48(catalog: Catalog) -> Machine:
    return catalog.machine("mac-mini-m4-pro-48")


@pytest.fixture
def copied(tmp_path: Path) -> Catalog:
    """The catalog in a folder of its own, to change."""
    shutil.copytree(load().root, tmp_path / "catalog")
    return Catalog(tmp_path / "catalog")
