"""The essay's claim, "room, not raw speed", tested on one pair of machines, in computed words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.advice import compare
from advisor.advice.compare import Claims
from advisor.upgrade.what_if import WhatIf

if TYPE_CHECKING:
    from advisor.catalog import Catalog

ROOM = "Room, not raw speed"
HOLDS, PARTLY, NOT = "holds", "holds in part", "does not hold"
FILLED_IS_SLOWER = 1.0


@dataclass(frozen=True, slots=True)
class Tested:
    """Whether the claim holds for a pair, and the sentences that show it."""

    outcome: str
    said: tuple[str, ...]


def tested(
    catalog: Catalog, claims: Claims, alone: tuple[WhatIf, ...], names: tuple[str, str]
) -> Tested:
    """The claim for one pair. ``alone``: the first machine, memory alone, chip alone, the other."""
    _, memory, chip, _ = alone
    outcome = _outcome(claims, memory, chip)
    return Tested(outcome, (_conclusion(outcome, claims, memory, chip),
                            *compare.sentences(catalog, claims, names)))  # fmt: skip


def _outcome(claims: Claims, memory: WhatIf, chip: WhatIf) -> str:
    """Holds where memory alone lets more models in, the chip alone none, and full is not faster."""
    if memory.newly == 0:
        return NOT
    slower = math.isnan(claims.filled) or claims.filled <= FILLED_IS_SLOWER
    return HOLDS if slower and chip.newly == 0 else PARTLY


def _conclusion(outcome: str, claims: Claims, memory: WhatIf, chip: WhatIf) -> str:
    if outcome == NOT:
        return (
            f"“{ROOM}” {outcome} here: no model newly fits, so what is bought is speed "
            f"({claims.same_model:.1f} × on the same dense model)."
        )
    full = "" if math.isnan(claims.filled) else (
        f", and filled it decodes at "
        f"{claims.filled:.2f} × the pace of the first one filled"
    )  # fmt: skip
    return (
        f"“{ROOM}” {outcome} here: the memory alone lets {memory.newly} more models in "
        f"({best_text(memory)}), the chip alone {chip.newly or 'none'} ({best_text(chip)}){full}."
    )


def best_text(what_if: WhatIf) -> str:
    """ "Qwen3.6-35B-A3B at 27 tok/s", the best that fits and is fast enough."""
    if what_if.best is None:
        return "nothing is fast enough"
    return f"{what_if.best.model} at {what_if.best.decode_tok_s:.0f} tok/s"
