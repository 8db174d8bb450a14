"""Memory is told in GiB, files in GB, tokens as people write them."""

import pytest

from advisor import units


def test_16_gb_of_memory_is_16_gib_and_17_gb_of_file():
    assert units.format_gib(16 * 2**30) == "16.0 GiB"
    assert units.format_gb(16 * 2**30) == "17.2 GB"


TOKENS = {
    "small": (512, "512"), "one K": (1024, "1K"), "8K": (8192, "8K"), "128K": (131072, "128K"),
    "a million": (2**20, "1M"), "odd": (5000, "5,000"), "between": (1025, "1,025"),
}  # fmt: skip


@pytest.mark.parametrize(("tokens", "text"), TOKENS.values(), ids=TOKENS)
def test_tokens_as_people_write_them(tokens, text):
    assert units.format_tokens(tokens) == text
