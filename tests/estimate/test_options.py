"""Constants of batching and speculation come from their file, with their own error."""

import pytest

from advisor.errors import CatalogError
from advisor.estimate import options


def test_the_error_is_kept_with_the_number(catalog):
    found = options.load(catalog)

    assert 0 < found.stream_share < 0.6  # notes of 14 public series range from 0.03 to 0.58
    assert 0 < found.stream_error < 0.3
    assert 0 < found.round_error < 0.15
    assert found.stream_series >= 8
    assert found.round_rows >= 15


@pytest.mark.parametrize("text", [None, "{", '{"stream_share": 1}'])
def test_a_broken_file_is_a_sentence(copied, text):
    path = copied.root / options.OPTIONS_JSON
    path.unlink() if text is None else path.write_text(text)

    with pytest.raises(CatalogError, match="cannot be used"):
        options.load(copied)


def test_what_is_written_is_read_back(copied):
    options.write(copied.root, options.load(copied))

    before = options.load(copied)
    assert options.load(type(copied)(copied.root)) == before
