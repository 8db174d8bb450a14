"""The Macs of a page: the scenario's two and further ones a page adds."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from advisor.advice.scenario import Scenario, machine
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.views import state
from advisor.views.plain import plain


def chosen(catalog: Catalog, scenario: Scenario, more: Sequence[str]) -> tuple[Machine, ...]:
    """The scenario's machines and ``more``, each once; macOS and memory in use hold for all.

    A further Mac that cannot have that much in use is left out with a sentence.
    """
    found = {machine.id: machine for machine in state.machines(catalog, scenario)}
    for machine_id in more:
        if machine_id in found:
            continue
        try:
            found[machine_id] = machine(catalog, scenario, machine_id)
        except InputError as error:
            st.warning(plain(f"{machine_id} is left out. {error}"))
    return tuple(found.values())
