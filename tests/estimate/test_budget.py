"""What macOS lets the GPU use, against logged byte counts."""

import math
from dataclasses import replace

import pandas as pd
import pytest

from advisor.catalog import Catalog
from advisor.errors import InputError
from advisor.estimate.budget import (
    budgets,
    default_gpu_limit_bytes,
    gpu_limit_bytes,
    paging_limit_bytes,
    raised_limit_bytes,
)
from advisor.units import GIB, MIB

# Logged by Metal or MLX; see catalog/working_set.csv.
LIMITS = {
    "16 GB, macOS 15": (16, 15, 11453251584),
    "48 GB, macOS 15": (48, 15, 38654705664),
    "16 GB, macOS 26": (16, 26, 12713115648),
    "48 GB, macOS 26": (48, 26, 40200896512),
    "8 GB, macOS 26": (8, 26, 5726633984),
    "128 GB, macOS 26": (128, 26, 115448725504),
    "256 GB, macOS 15": (256, 15, 223338299392),
}


@pytest.mark.parametrize(("memory_gb", "macos", "expected"), LIMITS.values(), ids=LIMITS)
def test_the_default_limit_is_exact_to_the_byte(
    catalog: Catalog, memory_gb: int, macos: int, expected: int
) -> None:
    assert default_gpu_limit_bytes(catalog.memory_rules, memory_gb, macos) == expected


def test_every_default_limit_logged_in_bytes_is_reproduced(catalog: Catalog) -> None:
    seen = catalog.observations("working_set.csv")
    seen = seen[seen["bytes_exact"].notna() & seen["raised_limit_mib"].isna()]
    seen = seen[seen["rule_macos"].notna()]
    macos = seen["rule_macos"].astype(str).str.split("-").str[1].astype(int)

    computed = [
        default_gpu_limit_bytes(catalog.memory_rules, memory, version)
        for memory, version in zip(seen["memory_gb"], macos, strict=True)
    ]

    assert len(seen) >= 10
    assert computed == [int(value) for value in seen["bytes_exact"]]


def test_every_default_limit_logged_in_rounded_units_agrees(catalog: Catalog) -> None:
    seen = catalog.observations("working_set.csv")
    seen = seen[seen["raised_limit_mib"].isna() & seen["rule_macos"].notna()]
    unit = seen["logged_unit"].map({"MB_1e6": 1e6, "MiB": MIB, "GiB": GIB})
    logged = pd.to_numeric(seen["logged"]) * unit
    macos = seen["rule_macos"].astype(str).str.split("-").str[1].astype(int)

    computed = pd.Series(
        [
            default_gpu_limit_bytes(catalog.memory_rules, memory, version)
            for memory, version in zip(seen["memory_gb"], macos, strict=True)
        ],
        index=seen.index,
    )

    # The coarsest log prints one decimal of a GiB: 5.3 for 5.333.
    assert ((computed / logged - 1).abs() < 0.01).all()


def test_a_wired_limit_counts_as_it_is(catalog: Catalog, m4_16) -> None:
    machine = replace(m4_16, wired_limit_mib=14000)

    assert gpu_limit_bytes(catalog.memory_rules, machine) == 14000 * MIB


@pytest.mark.parametrize("absurd_mib", [16384, 20000, 10**9])
def test_no_wired_limit_gives_the_gpu_all_memory(catalog: Catalog, m4_16, absurd_mib) -> None:
    machine = replace(m4_16, wired_limit_mib=absurd_mib)

    # MLX's allocator stops at 0.95 of memory: floor(0.95 x 17179869184).
    assert gpu_limit_bytes(catalog.memory_rules, machine) == 16320875724


def test_the_highest_wired_limit_seen_in_use_is_not_clamped(catalog: Catalog) -> None:
    # 124518 MiB on 128 GB, reported back as 130566586368 bytes.
    machine = replace(catalog.machine("mac-studio-m4-max-128"), wired_limit_mib=124518)

    assert gpu_limit_bytes(catalog.memory_rules, machine) == 130566586368


def test_the_budget_is_what_other_programs_leave(catalog: Catalog) -> None:
    busy = catalog.machine("mac-mini-m4-16", in_use_gb=9)

    room = budgets(catalog.memory_rules, (busy,))

    assert room.budget[0] == 7 * GIB
    assert room.gpu_limit[0] == 12713115648


def test_a_little_memory_in_use_does_not_touch_the_gpu_limit(catalog: Catalog) -> None:
    busy = catalog.machine("mac-mini-m4-16", in_use_gb=2)

    assert budgets(catalog.memory_rules, (busy,)).budget[0] == 12713115648


def test_the_raised_limit_leaves_eight_gib(catalog: Catalog, m4_pro_48) -> None:
    assert raised_limit_bytes(catalog.memory_rules, m4_pro_48) == 40960 * MIB


@pytest.mark.parametrize("macos", [15, 26])
def test_no_raised_limit_is_offered_on_16_gb(catalog: Catalog, macos: int) -> None:
    machine = catalog.machine("mac-mini-m4-16", macos=macos)

    assert raised_limit_bytes(catalog.memory_rules, machine) == 0


def test_a_lowered_limit_is_no_reason_to_offer_less_than_the_default(catalog, m4_16) -> None:
    # 16 GB less 8 GiB would be above 4000 MiB, but below what macOS gives by itself.
    lowered = replace(m4_16, wired_limit_mib=4000)

    assert raised_limit_bytes(catalog.memory_rules, lowered) == 0


def test_no_more_is_offered_where_the_limit_is_raised_already(catalog, m4_pro_48) -> None:
    raised = replace(m4_pro_48, wired_limit_mib=40960)

    assert raised_limit_bytes(catalog.memory_rules, raised) == 0


def test_the_reserve_of_macos_is_a_fact_that_can_be_edited(catalog, m4_pro_48) -> None:
    careful = catalog.memory_rules.model_copy(update={"os_reserve_gib": 10})

    # 38 GiB is 38912 MiB, still above the default 38339 MiB.
    assert raised_limit_bytes(careful, m4_pro_48) == 38912 * MIB


def test_mlx_pages_up_to_a_share_of_memory(catalog: Catalog, m4_16, m4_pro_48) -> None:
    rules = catalog.memory_rules

    # 1.5 x 12713115648 is above 0.95 x 16 GiB, so is 1.5 x 40200896512 above 0.95 x 48 GiB.
    assert paging_limit_bytes(rules, m4_16) == pytest.approx(0.95 * 16 * GIB)
    assert paging_limit_bytes(rules, m4_pro_48) == pytest.approx(0.95 * 48 * GIB)


def test_without_a_memory_size_there_is_no_budget(catalog: Catalog) -> None:
    machine = catalog.machine_from_parts("M4 Pro")

    room = budgets(catalog.memory_rules, (machine,))

    assert math.isnan(room.budget[0])
    assert math.isnan(room.gpu_limit[0])


def test_a_macos_without_a_rule_is_refused_by_name(catalog: Catalog) -> None:
    with pytest.raises(InputError, match="macOS 18 has no memory rule"):
        default_gpu_limit_bytes(catalog.memory_rules, 16, 18)
