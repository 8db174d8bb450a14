"""The catalog as one frozen object that reads a file only when something asks for it.

``load()`` costs nothing; a chip costs its file, a table its CSV. What is read is checked
strictly, so what no one asks for is checked by ``check.check`` (``advisor catalog check``).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.catalog import machines
from advisor.catalog.files import parse_file, parse_list
from advisor.catalog.quants import quants as read_quants
from advisor.catalog.shapes import Chip, Mac, Machine, MemoryRules, Model, Quant, Runtime
from advisor.errors import CatalogError, unknown

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_ROOT = Path(__file__).resolve().parents[2] / "catalog"
ROOT_VARIABLE = "TOLLBOOTH_CATALOG"


def load(root: Path | None = None) -> Catalog:
    """The catalog at ``root``, else at ``$TOLLBOOTH_CATALOG``, else the repository's own.

    The same folder gives the same object. Raises ``CatalogError`` where there is none.
    """
    chosen = root or Path(os.environ.get(ROOT_VARIABLE) or DEFAULT_ROOT)
    return _load(chosen.resolve())


@lru_cache(maxsize=8)
def _load(root: Path) -> Catalog:
    if not (root / "chips").is_dir():
        raise CatalogError(f"{root} holds no catalog: its folder chips/ is missing.")
    return Catalog(root)


@dataclass(frozen=True, eq=False)
class Catalog:
    """Facts by id and the derived tables. Index order is that of the ``*_ids`` tuples."""

    root: Path
    _facts: dict[Path, Any] = field(default_factory=dict, repr=False)

    # --- ids: from file names, so that an index needs no parsing -------------------------

    @cached_property
    def chip_ids(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self.root.glob("chips/*.toml")))

    @cached_property
    def mac_ids(self) -> tuple[str, ...]:
        return tuple(sorted(path.stem for path in self.root.glob("macs/*.toml")))

    @cached_property
    def model_ids(self) -> tuple[str, ...]:
        """Models that mlx-lm can build, sorted."""
        return tuple(self.shapes.index)

    @cached_property
    def quant_ids(self) -> tuple[str, ...]:
        return tuple(self.quants)

    @cached_property
    def runtime_ids(self) -> tuple[str, ...]:
        return tuple(self.runtimes)

    @cached_property
    def machine_ids(self) -> list[str]:
        return [option.id for option in self.machine_options]

    # --- facts ---------------------------------------------------------------------------

    def chip(self, chip_id: str) -> Chip:
        """One chip bin; reads only its file."""
        if chip_id not in self.chip_ids:
            raise unknown("chip", chip_id, self.chip_ids, f"{self.root.name}/chips/")
        return self._read(Chip, self.root / "chips" / f"{chip_id}.toml")

    def mac(self, mac_id: str) -> Mac:
        """One Mac; reads its file and those of its chips."""
        if mac_id not in self.mac_ids:
            raise unknown("Mac", mac_id, self.mac_ids, f"{self.root.name}/macs/")
        mac = self._read(Mac, self.root / "macs" / f"{mac_id}.toml")
        where = f"{self.root.name}/macs/{mac_id}.toml"
        for chip_id, sizes in mac.bins.items():
            if chip_id not in self.chip_ids:
                raise CatalogError(
                    f"{where}: no file chips/{chip_id}.toml for the bin {chip_id!r}."
                )
            missing = set(sizes) - set(self.chip(chip_id).memory_gb)
            if missing:
                raise CatalogError(
                    f"{where}: {chip_id} is not sold with {min(missing)} GB. "
                    f"Correct bins, or memory_gb in chips/{chip_id}.toml."
                )
        return mac

    def model(self, model_id: str) -> Model:
        """One model, buildable or not; reads only its file."""
        path = self.root / "models" / f"{model_id}.json"
        if path not in self._facts and not path.is_file():
            names = sorted(path.stem for path in self.root.glob("models/*.json"))
            raise unknown("model", model_id, names, f"{self.root.name}/models/")
        return self._read(Model, path)

    @cached_property
    def chips(self) -> dict[str, Chip]:
        return {chip_id: self.chip(chip_id) for chip_id in self.chip_ids}

    @cached_property
    def chip_families(self) -> dict[str, tuple[Chip, ...]]:
        """The bins of each chip by the name people use, "M4 Pro"."""
        families: dict[str, list[Chip]] = {}
        for chip in self.chips.values():
            families.setdefault(chip.name, []).append(chip)
        return {name: tuple(bins) for name, bins in families.items()}

    @cached_property
    def macs(self) -> dict[str, Mac]:
        return {mac_id: self.mac(mac_id) for mac_id in self.mac_ids}

    @cached_property
    def models(self) -> dict[str, Model]:
        """Every model of the catalog, buildable or not."""
        paths = sorted(self.root.glob("models/*.json"))
        return {path.stem: self.model(path.stem) for path in paths}

    @cached_property
    def quants(self) -> dict[str, Quant]:
        return read_quants(self.root)

    @cached_property
    def runtimes(self) -> dict[str, Runtime]:
        return parse_list(Runtime, "runtime", self.root / "runtimes.toml", self.root)

    @cached_property
    def memory_rules(self) -> MemoryRules:
        return parse_file(MemoryRules, self.root / "memory_rules.toml", self.root)

    # --- tables --------------------------------------------------------------------------

    @cached_property
    def shapes(self) -> pd.DataFrame:
        """What mlx-lm builds from each config: a row a buildable model (derived/models.csv)."""
        from advisor.catalog import tables

        return tables.shapes(self.root)

    @cached_property
    def variants(self) -> pd.DataFrame:
        """A row a buildable model x quantization; see ``tables.variants``."""
        from advisor.catalog import tables

        return tables.variants(self)

    def variant_index(self, model_id: str, quant_id: str) -> int:
        """The row of ``variants`` for a model in a quantization."""
        if model_id not in self._model_index:
            raise unknown("model", model_id, self.model_ids)
        if quant_id not in self.quants:
            raise unknown("quantization", quant_id, self.quant_ids)
        row = self._model_index[model_id] * len(self.quant_ids)
        return row + self.quant_ids.index(quant_id)

    @cached_property
    def _model_index(self) -> dict[str, int]:
        return {model_id: index for index, model_id in enumerate(self.model_ids)}

    @cached_property
    def runs(self) -> pd.DataFrame:
        """Public measured runs, resolved to ids where understood (derived/runs.csv)."""
        from advisor.catalog import measured

        return measured.derived_runs(self.root)

    @cached_property
    def printed_runs(self) -> pd.DataFrame:
        """Public measured runs as their sources print them, all files of runs/ together."""
        from advisor.catalog import measured

        return measured.printed_runs(self.root)

    @cached_property
    def scores(self) -> pd.DataFrame:
        """Published scores of models, with source."""
        from advisor.catalog import tables

        return tables.scores(self.root)

    @cached_property
    def artifacts(self) -> pd.DataFrame:
        """Published files and their sizes by model, quantization and channel."""
        from advisor.catalog import tables

        return tables.artifacts(self.root)

    def observations(self, name: str) -> pd.DataFrame:
        """Observations to show, such as ``working_set.csv``; see ``measured.OBSERVATIONS``."""
        from advisor.catalog import measured

        return measured.observations(self.root, name)

    # --- machines ------------------------------------------------------------------------

    @cached_property
    def machine_options(self) -> list[machines.MachineOption]:
        """Machines for pickers: newest current ones first, discontinued last."""
        return machines.machine_options(self)

    def machine(
        self,
        machine_id: str,
        *,
        macos: int | float | str | None = None,
        wired_limit_mib: float | None = None,
        in_use_gb: float | None = None,
    ) -> Machine:
        """The machine of an id; see ``machines.machine``."""
        return machines.machine(
            self, machine_id, macos=macos, wired_limit_mib=wired_limit_mib, in_use_gb=in_use_gb
        )

    def machine_from_parts(
        self,
        chip: str,
        gpu_cores: float | None = None,
        memory_gb: float | None = None,
        macos: int | float | str | None = None,
        *,
        wired_limit_mib: float | None = None,
        in_use_gb: float | None = None,
    ) -> Machine:
        """A machine by chip, cores and memory; see ``machines.machine_from_parts``."""
        return machines.machine_from_parts(
            self,
            chip,
            gpu_cores,
            memory_gb,
            macos,
            wired_limit_mib=wired_limit_mib,
            in_use_gb=in_use_gb,
        )

    # --- the whole -----------------------------------------------------------------------

    @cached_property
    def digest(self) -> str:
        """Twelve hex digits that change with any file of the catalog."""
        total = hashlib.sha256()
        for path in self._paths():
            total.update(path.relative_to(self.root).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(path.read_bytes()).digest())
        return total.hexdigest()[:12]

    def _paths(self) -> Iterator[Path]:
        for path in sorted(self.root.rglob("*")):
            if path.is_file() and path.suffix in {".toml", ".csv", ".json"}:
                yield path

    def _read(self, shape: type[Any], path: Path) -> Any:
        if path not in self._facts:
            self._facts[path] = parse_file(shape, path, self.root)
        return self._facts[path]
