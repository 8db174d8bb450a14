"""Whole links: built on the address that other people reach, read from any host or none.

A link that is sent says more than the address bar: ``v`` the form of the link, ``cat`` the
catalog it was answered by, ``was`` the answer in short, and ``z`` at its end, a sum over all
before it, so that a link cut short or edited is told from a whole one. Keys are short and
stable, since links are kept by people.
"""

from __future__ import annotations

import hashlib
import html
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from advisor.errors import InputError

VARIABLE = "TOLLBOOTH_BASE"
LOCAL = "http://127.0.0.1:8501"  # where `make run` opens the app
FORM, CATALOG, SAID, SUM = "v", "cat", "was", "z"
OWN_KEYS = (FORM, CATALOG, SAID, SUM)
THIS_FORM = "1"
LONGEST = 4000
MOST_KEYS = 60
HOME = "home"
# The pages of the app by address; one that is not here is taken for a part of the host's own.
PAGES = (HOME, "fit", "speed", "routing", "upgrade", "accuracy", "calibrate", "sources")
LOOPBACK = ("127.0.0.1", "localhost", "::1", "0.0.0.0")


@dataclass(frozen=True)
class Sent:
    """A link that was read: the page it is for and its keys, not yet looked up."""

    page: str
    params: Mapping[str, str]

    @property
    def query(self) -> str:
        return urlencode(self.params)


def base_address() -> str:
    """The address other people reach the app at, from ``$TOLLBOOTH_BASE``; "" where none is set.

    Raises ``InputError`` where it is no address.
    """
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return ""
    cure = f"Set {VARIABLE} to an address such as https://tollbooth.example.org, or leave it out."
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InputError(f"{VARIABLE}={text[:60]!r} is no address. {cure}") from None
    if parts.scheme not in ("http", "https") or not host or " " in text:
        raise InputError(f"{VARIABLE}={text[:60]!r} is no address. {cure}")
    if parts.query or parts.fragment:
        raise InputError(f"{VARIABLE}={text[:60]!r} must end before the '?' or '#'. {cure}")
    return text.rstrip("/")


def is_loopback(address: str) -> bool:
    """Whether an address opens on its own computer only."""
    try:
        return (urlsplit(address).hostname or "") in LOOPBACK
    except ValueError:
        return False


def query(keys: Mapping[str, str], *, catalog: str, said: str = "") -> str:
    """The query part of a link to send, sealed: without the question mark."""
    whole = {FORM: THIS_FORM, **keys, CATALOG: catalog} | ({SAID: said} if said else {})
    return urlencode(whole | {SUM: _sum(whole)})


def address(base: str, page: str, sealed: str) -> str:
    """A whole link: ``base`` may be "", which leaves path and query."""
    path = "" if page == HOME else page
    return f"{base}/{path}?{sealed}"


def read(text: str) -> Sent:
    """A link as people paste it: whole, of any host, or its query part alone.

    Raises ``InputError`` where there is no link in it.
    """
    found = html.unescape(re.sub(r"\s+", "", text)).strip("<>()[]\"'`")
    if not found:
        raise InputError("There is no link here. Paste a whole link, or what follows its '?'.")
    if len(found) > LONGEST:
        raise InputError(
            f"A link has at most {LONGEST:,} characters, this has {len(found):,}. Is it a file?"
        )
    path, mark, rest = found.partition("?")
    if not mark:
        path, rest = ("", found) if "=" in found else (found, "")
    page = path.rstrip("/").rpartition("/")[2]
    try:
        pairs = parse_qsl(rest.partition("#")[0], keep_blank_values=True, max_num_fields=MOST_KEYS)
    except ValueError:
        raise InputError(f"A link has at most {MOST_KEYS} values; this is another thing.") from None
    if not pairs and page not in PAGES:
        raise InputError(
            f"{found[:60]!r} holds no comparison. A link of Tollbooth has a '?' and, after it, "
            "values such as a=mac-mini-m4-16."
        )
    return Sent(page if page in PAGES else HOME, dict(pairs))


def problems(params: Mapping[str, str]) -> list[str]:
    """Sentences on the link as a whole: cut short, edited, of a later version."""
    form = params.get(FORM)
    if form is None:
        return []  # an address bar's, or written by hand: each value is looked at by itself
    if form != THIS_FORM:
        later = form.isdecimal() and int(form[:9]) > int(THIS_FORM)
        return [
            "The link was made by a later version of Tollbooth: what this one knows is shown."
            if later
            else "The link's beginning was changed: what can be read of it is shown."
        ]
    if SUM not in params:
        return ["The link was cut short: its end is missing, and what is missing is not shown."]
    if params[SUM] != _sum(params):
        return ["The link was changed after it was made: what can be read of it is shown."]
    return []


def _sum(params: Mapping[str, str]) -> str:
    """Four digits over what stands before the sum; what a messenger appends does not count."""
    total = hashlib.sha256()
    for key, value in params.items():
        if key == SUM:
            break
        total.update(f"{key}\0{value}\0".encode())
    return total.hexdigest()[:4]
