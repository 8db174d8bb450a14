"""Constants of batching and speculation, fitted on the few public figures there are.

They are small and apart from ``speed.json``: 15 series and 22 rows, most from the authors of one
tool, so their own error is kept beside them. ``derived/options.json``.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.errors import CatalogError

if TYPE_CHECKING:
    from advisor.catalog import Catalog

OPTIONS_JSON = "derived/options.json"
DIGITS = 4


@dataclass(frozen=True)
class Options:
    """What further sequences and drafted tokens cost, in shares of a single plain step.

    ``…_error`` is the median of |predicted / measured - 1| of the cost of a step or round, each
    series or row predicted without itself.
    """

    stream_share: float
    stream_error: float
    stream_series: int
    draft_share: float
    check_wide: float  # a token checked, quantizations of 8 bits and more
    check_narrow: float  # of 4 bits and fewer
    round_error: float
    round_rows: int


@lru_cache(maxsize=4)
def load(catalog: Catalog) -> Options:
    """The constants of a catalog. Raises ``CatalogError`` for a missing or broken file."""
    where = f"{catalog.root.name}/{OPTIONS_JSON}"
    try:
        return Options(**json.loads((catalog.root / OPTIONS_JSON).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise CatalogError(
            f"{where} cannot be used ({type(error).__name__}: {error}). "
            "Restore it, or run 'advisor catalog build'."
        ) from error


def write(root: Path, options: Options) -> Path:
    """Write the constants with few digits."""
    path = root / OPTIONS_JSON
    rounded = {
        name: float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
        for name, value in asdict(options).items()
    }
    path.write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
    return path
