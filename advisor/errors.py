"""Errors a person reads: what is wrong, where, and what to do next.

AdvisorError
├── InputError      the user's input is wrong (an id, a number, a file, a link): exit code 2
└── CatalogError    a file of the catalog is broken: exit code 1

``app.py``, the views' frame and the command line catch them all. Where one bad value among
many (a key of a link, a row of a file, a further Mac) must not cost the rest, it is caught there::

    try:
        machine = catalog.machine("mac-mini-m4-17")
    except AdvisorError as error:
        st.error(str(error))
"""

from collections.abc import Iterable
from difflib import get_close_matches


class AdvisorError(Exception):
    """Any failure that has a sentence for the person who caused it."""


class InputError(AdvisorError):
    """What a person gave cannot be understood or is out of range."""


class CatalogError(AdvisorError):
    """A file of the catalog is missing, unreadable or breaks its own rules."""


def unknown(kind: str, given: object, known: Iterable[str], where: str = "") -> InputError:
    """An ``InputError`` for an unknown id, with the nearest known one as the next step."""
    names = list(known)
    near = get_close_matches(str(given).lower(), [name.lower() for name in names], n=1, cutoff=0.5)
    nearest = next((name for name in names if near and name.lower() == near[0]), None)
    place = f" in {where}" if where else ""
    hint = (
        f" Nearest: {nearest}."
        if nearest
        else f" Known: {', '.join(names[:8])}" + (", …" if len(names) > 8 else ".")
    )
    return InputError(f"No {kind} is called {given!r}{place}.{hint}")
