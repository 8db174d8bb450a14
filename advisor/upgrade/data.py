"""The whole answer as plain data: what JSON holds, what a report and a script read."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import date
from typing import Any

from pydantic import BaseModel

from advisor.catalog.shapes import Machine
from advisor.upgrade.answer import Upgrade

VERSION = 1  # of the layout; a key never changes its meaning


def as_data(found: Upgrade) -> dict[str, Any]:
    """Everything of an answer; what is not known is None, bytes and seconds are plain numbers."""
    return {"tollbooth": "upgrade", "version": VERSION, **plain(found)}


def plain(value: Any) -> Any:
    """What JSON can hold: fields by name, NaN and infinities as None, tuples as lists."""
    if isinstance(value, Machine):
        return {
            "id": value.id,
            "label": value.label,
            "chip": value.chip.id,
            "bandwidth_gb_per_s": value.chip.bandwidth_gb_per_s,
            "memory_gb": value.memory_gb,
            "macos": value.macos,
            "in_use_bytes": value.in_use_bytes,
            "assumed": list(value.assumed),
        }
    if isinstance(value, BaseModel):
        return plain(value.model_dump())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value
