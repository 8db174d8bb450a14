"""The verdict as a picture: a card of 1200 × 630 that messengers and posts show whole."""

from __future__ import annotations

import textwrap

from advisor.share.pictures import COLOURS
from advisor.share.report import MachineReport, Report
from advisor.share.writing import environment, words

WIDTH, HEIGHT = 1200, 630
MOST_SIDES = 4
# Letters of a line at each size of the verdict: the largest size that holds it is taken.
SIZES = ((46, 46, 3), (40, 53, 4), (34, 63, 5), (28, 76, 6))


def card_png(report: Report) -> bytes:
    """The card as a PNG file."""
    import vl_convert

    return bytes(vl_convert.svg_to_png(card_svg(report), scale=1))


def card_svg(report: Report) -> str:
    """The card as SVG: the verdict, and a bar of the same model's speed for each machine."""
    size, lines = _verdict(report.verdict)
    sides = report.machines[:MOST_SIDES]
    top = 118 + len(lines) * size * 1.25
    fastest = max(one.same.decode_high for one in sides)
    return (
        environment(markdown=False)
        .get_template("card.svg")
        .render(
            report=report,
            size=size,
            lines=[(118 + at * size * 1.25, line) for at, line in enumerate(lines)],
            sides=[_side(one, at, len(sides), fastest) for at, one in enumerate(sides)],
            top=top,
            width=WIDTH,
            height=HEIGHT,
        )
    )


def _side(one: MachineReport, at: int, count: int, fastest: float) -> dict[str, object]:
    """Where a machine's column stands and what is in it."""
    room = (WIDTH - 120 - 30 * (count - 1)) / count
    best = words(one.best) if one.best else None
    short = int(room / (19 if count < 3 else 15))
    return {
        "x": 60 + at * (room + 30),
        "room": room,
        "bar": room * one.same.decode_tok_s / fastest,
        "low": room * one.same.decode_low / fastest,
        "high": room * one.same.decode_high / fastest,
        "colour": COLOURS[at],
        "name": one.name,
        "best": textwrap.shorten(best["model"], short, placeholder="…") if best else "nothing fits",
        "best_speed": f"{best['speed']} ({best['range']})" if best else "",
        "same": words(one.same),
    }


def _verdict(text: str) -> tuple[int, list[str]]:
    for size, letters, most in SIZES:
        lines = textwrap.wrap(text, letters)
        if len(lines) <= most:
            return size, lines
    size, letters, most = SIZES[-1]
    return size, textwrap.wrap(text, letters, max_lines=most, placeholder=" …")
