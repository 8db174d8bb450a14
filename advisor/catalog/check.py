"""The whole catalog at once: what lazy loading reads later, and what ties files together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from advisor.catalog.files import shown
from advisor.catalog.measured import OBSERVATIONS
from advisor.catalog.model_names import model_names
from advisor.catalog.published_sizes import published_sizes
from advisor.catalog.quant_names import quant_names
from advisor.errors import AdvisorError, CatalogError

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog

FOLDERS = {"chips": ".toml", "macs": ".toml", "models": ".json", "runs": ".csv", "sizes": ".csv",
           "workloads": ".toml"}  # fmt: skip


def problems(catalog: Catalog) -> list[str]:
    """Every sentence there is to say about the catalog's files; empty when all is well."""
    return list(dict.fromkeys(_problems(catalog)))


def _problems(catalog: Catalog) -> Iterator[str]:
    yield from _strays(catalog)
    for chip_id in catalog.chip_ids:
        yield from _said(partial(_check_chip, catalog, chip_id))
    for mac_id in catalog.mac_ids:
        yield from _said(partial(catalog.mac, mac_id))
    for path in sorted(catalog.root.glob("models/*.json")):
        yield from _said(partial(catalog.model, path.stem))
    for name in ("quants", "runtimes", "memory_rules", "printed_runs", "scores", "artifacts",
                 "variants", "runs"):  # fmt: skip
        yield from _said(partial(getattr, catalog, name))
    for index in (model_names, quant_names, published_sizes):
        yield from _said(partial(index, catalog))
    for name in OBSERVATIONS:
        yield from _said(partial(catalog.observations, name))
    for name in ("scores", "artifacts"):
        yield from _said(partial(_known_models, catalog, name))


def _said(check: Callable[[], object]) -> Iterator[str]:
    try:
        check()
    except AdvisorError as error:
        yield str(error)


def _check_chip(catalog: Catalog, chip_id: str) -> None:
    """A chip's generation and tier are those its name says."""
    chip = catalog.chip(chip_id)
    match = re.fullmatch(r"M(\d+)(?: (Pro|Max|Ultra))?", chip.name)
    if match is None:
        return  # not of the M family
    said = (int(match.group(1)), (match.group(2) or "base").lower())
    if said != (chip.generation, chip.tier):
        raise CatalogError(
            f"{catalog.root.name}/chips/{chip_id}.toml: {chip.name} is generation {said[0]}, tier "
            f"{said[1]!r}, not {chip.generation}, {chip.tier!r}. Correct one of them."
        )


def _known_models(catalog: Catalog, name: str) -> None:
    """The models of a table are in models/."""
    known = {path.stem for path in catalog.root.glob("models/*.json")}
    strangers = set(getattr(catalog, name)["model_id"]) - known
    if strangers:
        raise CatalogError(
            f"{catalog.root.name}/{name}.csv: no file models/{min(strangers)}.json. "
            "Correct the model_id or add the model."
        )


def _strays(catalog: Catalog) -> Iterator[str]:
    """Files no one reads, such as ``chips/m7.tml``."""
    for folder, suffix in FOLDERS.items():
        for path in sorted(catalog.root.glob(f"{folder}/*")):
            if path.suffix != suffix:
                yield (
                    f"{shown(path, catalog.root)} is read by nothing: files of {folder}/ "
                    f"end in {suffix}."
                )
