"""What a machine is called in a column or a sentence, and whether it is still sold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine


def short_names(machines: Sequence[Machine]) -> dict[str, str]:
    """Machine id -> "M4 16 GB"; with cores, then in full, where two would be alike."""
    longer = (
        lambda m: f"{m.chip.name} {m.memory_gb} GB",
        lambda m: f"{m.chip.name} {m.memory_gb} GB ({m.chip.gpu_cores} cores)",
        lambda m: m.label,
    )
    names = {machine.id: longer[0](machine) for machine in machines}
    for form in longer[1:]:
        alike = {name for name, count in Counter(names.values()).items() if count > 1}
        names |= {m.id: form(m) for m in machines if names[m.id] in alike}
    return names


def status_text(catalog: Catalog, machine: Machine) -> str:
    """ ", discontinued", or nothing for a Mac that is sold, is this one or was given in parts."""
    mac_id = machine.id.rpartition("-")[0]
    if mac_id not in catalog.mac_ids:
        return ""
    status = catalog.mac(mac_id).status
    return "" if status == "current" else f", {status}"
