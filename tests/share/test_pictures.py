"""Pictures stand in a page by themselves: one colour of text, no parts of the same name."""

import re

from advisor.share import pictures


def test_each_picture_is_one_drawing_that_asks_for_nothing(report):
    found = pictures.pictures(report)

    assert len(found) == 2
    for one in found:
        assert one.svg.startswith("<svg")
        assert one.svg.count("<svg") == 1
        assert not re.search(r"<script|<image|@import|href=\"http", one.svg)


def test_text_takes_the_colour_of_the_page(report):
    for one in pictures.pictures(report):
        fills = re.findall(r"<text[^>]* fill=\"([^\"]+)\"", one.svg)
        assert "currentColor" in fills
        assert "#000" not in fills


def test_no_part_of_a_picture_has_the_name_of_another_pictures(report):
    names = [
        name for one in pictures.pictures(report) for name in re.findall(r'id="([^"]+)"', one.svg)
    ]

    assert len(names) == len(set(names))


def test_the_words_name_every_machine_and_what_it_runs(report):
    speeds, memory = pictures.pictures(report)

    for machine in report.machines:
        assert machine.name in speeds.words
        assert f"taken by {machine.best.model}" in memory.words


def test_machines_are_apart_in_grey():
    def grey(colour: str) -> float:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    first, second, third, _ = map(grey, pictures.COLOURS)
    assert min(abs(first - second), abs(second - third)) > 20


def test_markup_in_a_name_is_text(marked):
    for one in pictures.pictures(marked):
        assert "<img" not in one.svg
