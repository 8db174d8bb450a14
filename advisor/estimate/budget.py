"""How many bytes a model may take on a Mac: macOS's GPU limit, and what other programs leave.

Source: catalog/memory_rules.toml, inferred from the observations in catalog/working_set.csv.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from advisor.catalog.shapes import LimitRule, Machine, MemoryRules
from advisor.errors import InputError
from advisor.units import GIB, MIB


def default_gpu_limit_bytes(rules: MemoryRules, memory_gb: int, macos: int) -> int:
    """What macOS lets the GPU wire by default [bytes]; exact where it was observed.

    memory_gb   memory as sold, 1 GB = 2**30 bytes
    Raises ``InputError`` for a macOS version without a rule.
    """
    rule = _rule(rules, macos)
    bracket = [b for b in rule.brackets if b.from_gb <= memory_gb][-1]
    memory_bytes = memory_gb * GIB
    if bracket.keep_gib is not None:
        return memory_bytes - bracket.keep_gib * GIB
    # macOS multiplies in single precision; the last bits decide the page it rounds up to.
    share = float(np.float32(bracket.fraction))
    return math.ceil(share * memory_bytes / rules.page_bytes) * rules.page_bytes


def gpu_limit_bytes(rules: MemoryRules, machine: Machine) -> float:
    """The GPU limit of a machine [bytes]: its wired limit if set, else the default; NaN unknown.

    macOS takes any wired limit, even above the memory. What counts here is never more than the
    share of memory that MLX's own allocator stops at (``paging_memory_share``).
    """
    if machine.memory_gb is None:
        return math.nan
    if machine.wired_limit_mib:
        most = math.floor(rules.paging_memory_share * machine.memory_gb * GIB)
        return min(machine.wired_limit_mib * MIB, most)
    return _own_default(rules, machine, machine.memory_gb)


def raised_limit_bytes(rules: MemoryRules, machine: Machine) -> float:
    """The highest limit worth setting [bytes]; 0 where it is no more than the default or present.

    Memory less a reserve for macOS (``os_reserve_gib``, a choice: no safe ceiling is measured).
    """
    if machine.memory_gb is None:
        return 0.0
    ceiling = (machine.memory_gb - rules.os_reserve_gib) * GIB
    default = _own_default(rules, machine, machine.memory_gb)
    return ceiling if ceiling > max(default, gpu_limit_bytes(rules, machine)) else 0.0


def paging_limit_bytes(rules: MemoryRules, machine: Machine) -> float:
    """Up to here MLX's allocator grants memory while the machine crawls [bytes].

    Source: MLX's Metal allocator, min(1.5 x working set, 0.95 x memory).
    """
    if machine.memory_gb is None:
        return 0.0
    return min(
        rules.paging_working_set_factor * gpu_limit_bytes(rules, machine),
        rules.paging_memory_share * machine.memory_gb * GIB,
    )


@dataclass(frozen=True, slots=True)
class Budgets:
    """Per machine, in the order given [bytes]; NaN where the memory size is not known."""

    memory: np.ndarray
    gpu_limit: np.ndarray
    budget: np.ndarray
    raised: np.ndarray
    paging: np.ndarray
    unused: np.ndarray


def budgets(rules: MemoryRules, machines: tuple[Machine, ...]) -> Budgets:
    """Budget = min(GPU limit, memory less what everything else holds), for each machine."""
    memory = np.array([math.nan if m.memory_gb is None else m.memory_gb * GIB for m in machines])
    limit = np.array([gpu_limit_bytes(rules, m) for m in machines], dtype=float)
    unused = memory - np.array([m.in_use_bytes for m in machines], dtype=float)
    return Budgets(
        memory=memory,
        gpu_limit=limit,
        budget=np.minimum(limit, unused),
        raised=np.array([raised_limit_bytes(rules, m) for m in machines], dtype=float),
        paging=np.array([paging_limit_bytes(rules, m) for m in machines], dtype=float),
        unused=unused,
    )


def _own_default(rules: MemoryRules, machine: Machine, memory_gb: int) -> int:
    """macOS's default: what this Mac itself tells goes before the rule."""
    return machine.default_limit_bytes or default_gpu_limit_bytes(rules, memory_gb, machine.macos)


def _rule(rules: MemoryRules, macos: int) -> LimitRule:
    for rule in rules.gpu_limit:
        if rule.macos_from <= macos <= rule.macos_to:
            return rule
    known = ", ".join(str(version) for version in rules.macos_versions)
    raise InputError(f"macOS {macos} has no memory rule here. Known versions: {known}.")
