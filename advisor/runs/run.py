"""A run: what was measured once, on which machine, how, and how far the samples spread.

A run is named by a digest of what it says, so the same run brought in twice is one run. What
people decide about it later (whether it counts, which model of the catalog it is) is no part
of its name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from advisor.errors import InputError

Kind = Literal["slice", "whole", "imported"]
LONGEST_TEXT = 300
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, lt=2**63)]
STRICT = ConfigDict(extra="forbid", allow_inf_nan=False)
# What is decided about a run rather than said by it.
NOT_ITS_NAME = ("id", "used", "model_id", "quant_id", "catalog_digest")
ID_DIGITS = 16
HUB_FOLDER = re.compile(r"models--([^/]+?)--([^/]+)")


@dataclass(frozen=True)
class RunMachine:
    """The machine of a run, without anything that names its owner."""

    __pydantic_config__ = STRICT

    chip: Text  # "M4 Pro"; a processor's name where it is no Mac
    gpu_cores: Count | None = None
    memory_gb: Positive | None = None
    macos: Text = ""  # "26.2"
    label: Text = ""  # "MacBook Pro (Mac16,8)": a kind of machine, no host or user name
    is_mac: bool = True


@dataclass(frozen=True)
class Run:
    """One measured point. Speeds are tokens per second, ``samples`` seconds of single steps.

    ``decode_low`` and ``decode_high`` span what the samples say. ``model_id`` and ``quant_id``
    are the catalog's, "" where the catalog does not know what was measured.
    """

    __pydantic_config__ = STRICT

    id: Text
    created: Text  # UTC, ISO 8601: "2026-12-01T13:05:26Z"
    kind: Kind
    machine: RunMachine
    runtime: Text
    model: Text  # as given
    quant: Text  # as given
    runtime_version: Text = ""
    model_id: Text = ""
    quant_id: Text = ""
    context_tokens: Count = 0
    prompt_tokens: Count = 0
    batch: Annotated[int, Field(ge=1, lt=2**31)] = 1
    decode_tok_s: Positive | None = None
    decode_low: Positive | None = None
    decode_high: Positive | None = None
    prefill_tok_s: Positive | None = None
    peak_memory_bytes: Count | None = None
    samples: tuple[Seconds, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    catalog_digest: Text = ""
    used: bool = True

    @property
    def is_matched(self) -> bool:
        """Whether the catalog knows the model and the quantization that were measured."""
        return bool(self.model_id and self.quant_id)


def new(**fields: Any) -> Run:
    """A run from its fields, checked, with its id; ``created`` is now where it is not given.

    A path as ``model`` is cut to the model's own name, the user's home elsewhere to "~".
    Raises ``InputError`` for a field that is missing or cannot be.
    """
    given = {"created": now(), **fields}
    for name in ("settings", "warnings"):
        if name in given:
            given[name] = _without_home(given[name])
    return from_fields(given)


def from_fields(fields: Mapping[str, Any]) -> Run:
    """A run from JSON-like fields; its id is that of its content, whatever ``fields`` say."""
    given = {**fields, "id": ""}
    if isinstance(given.get("machine"), RunMachine):
        given["machine"] = asdict(given["machine"])  # checked like one that was read
    if isinstance(given.get("model"), str):
        given["model"] = model_name(given["model"])
    try:
        found: Run = _adapter().validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}") from error
    _check_storable(found)
    if found.decode_tok_s is None and found.prefill_tok_s is None:
        raise InputError("a run needs decode_tok_s or prefill_tok_s")
    # As JSON gives them back: a tuple in settings is a list in every store.
    plain = replace(
        found, created=_utc(found.created), settings=json.loads(json.dumps(found.settings))
    )
    return replace(plain, id=digest(plain))


def as_fields(run: Run) -> dict[str, Any]:
    """A run as plain JSON values, in the order of its fields."""
    return json.loads(json.dumps(asdict(run)))  # type: ignore[no-any-return]


def digest(run: Run) -> str:
    """The name of a run: hex digits of what it says.

    When an imported run was made is not known, so the moment it was brought in does not count.
    """
    says = {name: value for name, value in asdict(run).items() if name not in NOT_ITS_NAME}
    if run.kind == "imported":
        del says["created"]
    text = json.dumps(says, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:ID_DIGITS]


def model_name(given: str) -> str:
    """A model's own name: a path, which may name its owner, is cut to its last part.

    A snapshot in the hub's cache is the repository it came from.
    """
    hub = HUB_FOLDER.search(given)
    if hub:
        return f"{hub[1]}/{hub[2]}"
    is_path = given.startswith(("/", "~", ".", "\\")) or re.match(r"[A-Za-z]:[\\/]", given)
    return re.split(r"[\\/]", given.rstrip("\\/"))[-1] if is_path else given


def now() -> str:
    """This moment as ``created`` says it."""
    return _as_text(datetime.now(UTC))


def _utc(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"created: {text!r} is no ISO 8601 time") from error
    if moment.tzinfo is None:
        raise InputError(f"created: {text!r} does not say its time zone; end it with Z for UTC")
    return _as_text(moment.astimezone(UTC))


def _as_text(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _check_storable(run: Run) -> None:
    """Refuse what JSON or a database cannot hold: odd objects, infinity, half characters."""
    try:
        text = json.dumps(asdict(run), allow_nan=False, ensure_ascii=False)
        text.encode()
    except (TypeError, ValueError) as error:
        raise InputError(f"it holds what is no plain JSON value: {error}") from error
    if "\\u0000" in text:
        raise InputError("it holds a zero character, which no database keeps")


def _without_home(value: Any) -> Any:
    """The same with the path of this user's home, which names its owner, as "~"."""
    if isinstance(value, str):
        return value.replace(str(Path.home()), "~")
    if isinstance(value, Mapping):
        return {key: _without_home(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_home(one) for one in value]
    return value


@cache
def _adapter() -> TypeAdapter[Run]:
    return TypeAdapter(Run)
