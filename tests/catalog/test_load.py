"""The catalog reads what is asked for, from the folder it is told."""

import pytest

from advisor.catalog import load
from advisor.catalog.load import DEFAULT_ROOT, ROOT_VARIABLE
from advisor.errors import CatalogError, InputError


def test_one_folder_gives_one_catalog():
    assert load() is load(DEFAULT_ROOT)


def test_the_environment_names_another_folder(facts, monkeypatch):
    monkeypatch.setenv(ROOT_VARIABLE, str(facts))

    assert load().root == facts.resolve()


def test_a_folder_without_facts_is_refused(tmp_path):
    with pytest.raises(CatalogError, match=r"holds no catalog: its folder chips/ is missing"):
        load(tmp_path)


def test_a_machine_reads_only_its_own_files(facts):
    """A broken file elsewhere does not stop a machine that does not need it."""
    (facts / "chips" / "m1-8.toml").write_text("broken", encoding="utf-8")
    (facts / "macs" / "mac-mini-m2.toml").write_text("broken", encoding="utf-8")

    assert load(facts).machine("mac-mini-m4-pro-48").chip.bandwidth_gb_per_s == 273


def test_a_changed_fact_changes_the_machine_and_the_digest(edited, facts):
    before = load(facts).digest
    load.__globals__["_load"].cache_clear()
    changed = edited("chips/m4-10.toml", "bandwidth_gb_per_s = 120", "bandwidth_gb_per_s = 240")

    assert changed.machine("mac-mini-m4-16").chip.bandwidth_bytes_per_s == 240e9
    assert changed.digest != before


def test_an_unknown_id_names_the_nearest():
    with pytest.raises(InputError, match=r"No chip is called 'm4-maxx-40'.*Nearest: m4-max-40\."):
        load().chip("m4-maxx-40")


def test_families_gather_the_bins_of_a_chip():
    families = load().chip_families

    assert [chip.id for chip in families["M4"]] == ["m4-10", "m4-8", "m4-8cpu-8"]
    assert sum(len(bins) for bins in families.values()) == 42
