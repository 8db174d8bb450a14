"""One change alone: memory is room, a chip is speed, and what is not sold says so."""

from advisor.upgrade import what_if
from advisor.upgrade.gains import Asked


def test_memory_alone_is_room_and_the_chip_alone_is_speed(catalog, minis):
    first, memory, chip, both = what_if.alone(catalog, *minis, Asked())

    assert memory.reference.decode_tok_s == first.reference.decode_tok_s
    assert chip.reference.decode_tok_s == both.reference.decode_tok_s
    assert memory.newly == both.newly > 0
    assert chip.newly == first.newly == 0
    assert (memory.sold, chip.sold, both.sold) == (False, False, True)


def test_more_memory_says_what_is_sold_and_for_how_much(catalog, minis):
    """M4 minis were sold with 24 GB at 799 and 32 GB at 999; none with 48 GB."""
    same, more8, more16, more32 = what_if.more_memory(catalog, minis[0], Asked())

    assert [one.sold for one in (same, more8, more16, more32)] == [True, True, True, False]
    assert (more8.price.value, more16.price.value) == (799, 999)
    assert same.newly == 0 < more8.newly < more16.newly <= more32.newly
