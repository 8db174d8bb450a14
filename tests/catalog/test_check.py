"""The whole-catalog check says everything that is wrong, not only what is read first."""

from advisor.catalog import load
from advisor.catalog.check import problems


def test_a_chip_that_belies_its_name_is_found(edited):
    catalog = edited("chips/m4-pro-16.toml", 'tier = "pro"', 'tier = "max"')

    assert any(
        "M4 Pro is generation 4, tier 'pro', not 4, 'max'" in text for text in problems(catalog)
    )


def test_a_file_no_one_reads_is_found(facts):
    (facts / "chips" / "m7-12.tml").write_text("", encoding="utf-8")

    assert "catalog/chips/m7-12.tml is read by nothing: files of chips/ end in .toml." in problems(
        load(facts)
    )


def test_all_broken_files_are_named_at_once(facts):
    for name in ("chips/m1-8.toml", "macs/mac-mini-m2.toml"):
        (facts / name).write_text("broken", encoding="utf-8")

    text = "\n".join(problems(load(facts)))
    assert "catalog/chips/m1-8.toml is not valid TOML" in text
    assert "catalog/macs/mac-mini-m2.toml is not valid TOML" in text
