"""Memory of each machine adds up to its RAM, whatever is loaded."""

import pytest

from advisor.share import memory_bar
from advisor.share.memory_bar import Memory

GIB = 2**30


def memory(gib: float, budget: float, *, in_use: float = 0, weights: float = 0) -> Memory:
    loaded = (weights * GIB, 1.0 * GIB, 0.5 * GIB) if weights else ()
    return Memory(gib * GIB, in_use * GIB, budget * GIB, *loaded)


def sizes(one: Memory) -> dict[str, float]:
    table = memory_bar.parts({"Mac": one})
    return dict(zip(table["part"], table["gib"], strict=True))


def test_parts_by_hand():
    # 16 GiB, a limit of 11: 5 + 1 + 0.5 loaded, 4.5 free for the GPU, 5 kept from it.
    found = sizes(memory(16, 11, weights=5))

    assert found == pytest.approx(
        {"weights": 5, "cache": 1, "buffers": 0.5, "other programs": 0,
         "free for the GPU": 4.5, "kept from the GPU": 5}
    )  # fmt: skip


def test_other_programs_take_theirs_first():
    found = sizes(memory(16, 7, in_use=9, weights=5))

    assert found["other programs"] == 9
    assert sum(found.values()) == pytest.approx(16)


def test_an_empty_mac_offers_the_gpu_its_budget_and_never_all_of_its_memory():
    found = sizes(memory(16, 11))

    assert found["free for the GPU"] == 11
    assert found["kept from the GPU"] == 5
    assert sum(found.values()) == 16


def test_the_chart_is_on_one_scale_from_zero_with_a_tick_at_each_limit():
    both = {"small": memory(16, 11, weights=5), "large": memory(48, 37, weights=20)}

    spec = memory_bar.chart(memory_bar.parts(both), {"small": 11.8, "large": 37.4}).to_dict()

    bars, ticks, named = spec["layer"]
    assert bars["encoding"]["x"]["title"] == "Memory (GiB)"
    assert bars["encoding"]["x"]["scale"]["domainMin"] == 0
    (limits,) = [d for d in spec["datasets"].values() if "limit" in d[0]]
    assert [row["limit"] for row in limits] == [11.8, 37.4]
    assert ticks["mark"]["type"] == "tick"
    assert named["mark"]["type"] == "text"
    assert [row["said"] for row in limits] == ["macOS's limit 11.8", "macOS's limit 37.4"]
