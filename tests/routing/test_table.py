"""What a table uses: all residents, and of those on demand the largest."""

from advisor.catalog import load
from advisor.routing.table import Resident, RoutingTable


def resident(weight: float, on_demand: bool = False) -> Resident:
    return Resident(
        "r", "m", "q", 16, 1024, 1, weight, kv_bytes=2.0, buffer_bytes=1.0, load_s=1.0,
        on_demand=on_demand,
    )  # fmt: skip


def test_one_slot_is_for_all_that_are_loaded_on_demand():
    residents = (resident(10), resident(20), resident(30, True), resident(40, True))
    machine = load().machine("mac-mini-m4-16")
    found = RoutingTable(machine, "mlx-lm", "w", residents, (), 100.0, 0.0, 0.0, ())

    assert found.used_bytes == 13 + 23 + 43
