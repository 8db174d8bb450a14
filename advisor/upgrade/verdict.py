"""To buy or not, by a rule that can be said in a sentence, with the numbers that decide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.upgrade.changes import BETTER, FASTER, HOME, LOST, WORSE, Change

LEAST_GAIN = 0.05  # of quality, on the classes' own scales: a difference people notice
LEAST_SHARE = 0.05  # of all requests
YES, DONT, ENOUGH = "worth it for quality", "don't", "enough"
RULE = (
    f"An upgrade is worth it where it newly keeps the floors of at least {LEAST_SHARE:.0%} of "
    f"the requests, or lifts the quality of demanding ones by {LEAST_GAIN:.2f} or more in the "
    f"mean, if they are at least {LEAST_SHARE:.0%}. Short, simple requests and embeddings are not "
    "demanding: any model that keeps their floors will do. Money is judged apart."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do, in a sentence, and the reasons for and against.

    worth   whether the rule says so
    """

    worth: bool
    sentence: str
    reasons: tuple[str, ...]


def verdict(
    changes: Sequence[Change], names: tuple[str, str], memory_gb: tuple[int | None, int | None]
) -> Verdict:
    """Judge one upgrade by what it changes for a workload."""
    kept = [math.fsum(c.share for c in changes if side(c).keeps_floors) for side in _SIDES]
    newly = math.fsum(c.share for c in changes if c.what == HOME)
    lost = [c for c in changes if c.what == LOST]
    demanding = [c for c in changes if not c.simple]
    both = [c for c in demanding if not math.isnan(c.quality_gain)]
    share = math.fsum(c.share for c in both)
    gain = math.fsum(c.share * c.quality_gain for c in both) / share if share else 0.0
    reasons = list(_reasons(changes, names, kept, newly))
    if not lost and (newly >= LEAST_SHARE or (gain >= LEAST_GAIN and share >= LEAST_SHARE)):
        return Verdict(True, _yes(names, newly, gain, share), tuple(reasons))
    if not lost and kept[0] >= 1 - 1e-9 and all(c.simple for c in changes if c.share > 0):
        size = f"{memory_gb[0]} GB is enough" if memory_gb[0] else "it is enough"
        sentence = f"Don't: for short, simple requests {size}. The {names[0]} keeps every floor."
        better = [c for c in changes if c.what == BETTER]
        if better:
            reasons.append(
                f"The {names[1]} would answer them with a larger model "
                f"({better[0].after.model}, quality {better[0].before.quality:.2f} → "
                f"{better[0].after.quality:.2f}); if yours need that, they are not simple: "
                "count them as chat."
            )
        return Verdict(False, sentence, tuple(reasons))
    return Verdict(False, _no(names, lost, newly, gain, share, kept[0]), tuple(reasons))


_SIDES = (lambda c: c.before, lambda c: c.after)


def _yes(names: tuple[str, str], newly: float, gain: float, share: float) -> str:
    said = []
    if newly >= LEAST_SHARE:
        said.append(f"newly answers {newly:.0%} of your requests within their floors")
    if gain >= LEAST_GAIN and share >= LEAST_SHARE:
        said.append(f"answers the demanding {share:.0%} better (quality {gain:+.2f} in the mean)")
    return f"Worth it for what it answers: the {names[1]} {' and '.join(said)}."


def _no(
    names: tuple[str, str], lost: Sequence[Change], newly: float, gain: float, share: float,
    kept: float,
) -> str:  # fmt: skip
    if lost:
        which = ", ".join(c.name for c in lost)
        return f"Don't: the {names[1]} no longer keeps the floors of {which}."
    floors = "every floor" if kept >= 1 - 1e-9 else f"the floors of {kept:.0%} of your requests"
    more = f"newly keeps those of {newly:.0%}" if newly else "keeps no more of them"
    better = f"quality {gain:+.2f} on the demanding ones" if share else "no demanding ones to lift"
    return (
        f"Don't: the {names[0]} already keeps {floors}, and the {names[1]} {more}, with {better}."
    )


def _reasons(
    changes: Sequence[Change], names: tuple[str, str], kept: Sequence[float], newly: float
) -> list[str]:
    said = [
        f"Floors kept on the machine itself: {kept[0]:.0%} of requests on the {names[0]}, "
        f"{kept[1]:.0%} on the {names[1]}."
    ]
    for what, words in (
        (HOME, "Newly answered here"), (BETTER, "Better answers"), (FASTER, "Only faster"),
        (WORSE, "Less good answers"), (LOST, "No longer answered here"),
    ):  # fmt: skip
        found = [c for c in changes if c.what == what]
        if found:
            listed = ", ".join(f"{c.name} {_by(c)}".strip() for c in found)
            said.append(f"{words}: {listed}.")
    return said


def _by(change: Change) -> str:
    if math.isnan(change.quality_gain):
        return ""
    if change.what in (BETTER, WORSE):
        return f"({change.before.quality:.2f} → {change.after.quality:.2f})"
    return ""
