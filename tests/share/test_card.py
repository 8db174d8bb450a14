"""The verdict as a picture that messengers show whole."""

import io

import pytest
from PIL import Image

from advisor.share import card


def test_the_card_is_a_png_of_the_size_that_is_shown_whole(report):
    picture = Image.open(io.BytesIO(card.card_png(report)))

    assert picture.format == "PNG"
    assert picture.size == (1200, 630)
    assert len(picture.convert("L").getcolors(256)) > 20  # something is drawn


def test_the_card_says_the_verdict_and_both_speeds(report):
    text = card.card_svg(report)

    for machine in report.machines:
        assert f"{machine.same.decode_tok_s:.1f} tok/s" in text
        assert machine.name in text
    for word in report.verdict.split()[:5]:
        assert word in text


@pytest.mark.parametrize("words", [1, 40, 200])
def test_a_verdict_of_any_length_stays_above_the_bars(report, words):
    text = card.card_svg(report.model_copy(update={"verdict": "longish " * words}))

    lines = [float(part.split('"')[0]) for part in text.split('<text x="60" y="')[2:-2]]
    assert max(lines) < 350


def test_markup_in_a_name_is_text(marked):
    assert "<img" not in card.card_svg(marked)
    assert card.card_png(marked).startswith(b"\x89PNG")
