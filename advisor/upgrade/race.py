"""Two machines write the same answer: when each starts, how fast it writes, when it is done."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.errors import InputError
from advisor.upgrade.gains import Pace

ANSWERS = (100, 300, 1000)  # tokens
MOST_TOKENS = 100_000


@dataclass(frozen=True, slots=True)
class Runner:
    """One machine's answer; times in seconds from the moment it is asked.

    wait_s   until the first token: the prompt, and the model's loading where it is cold
    """

    name: str
    model: str
    wait_s: float
    wait_low: float
    wait_high: float
    tok_s: float
    tok_s_low: float
    tok_s_high: float

    def done_s(self, tokens: int) -> float:
        """When the last token of the answer is written."""
        return self.wait_s + (tokens - 1) / self.tok_s

    def done_between_s(self, tokens: int) -> tuple[float, float]:
        """The ends of that: all fast, all slow."""
        return (
            self.wait_low + (tokens - 1) / self.tok_s_high,
            self.wait_high + (tokens - 1) / self.tok_s_low,
        )

    def written(self, at_s: float, tokens: int) -> int:
        """Tokens that are there at a moment; the first comes when the wait is over."""
        if at_s < self.wait_s:
            return 0
        return min(tokens, 1 + int((at_s - self.wait_s) * self.tok_s))


def runner(pace: Pace, name: str, *, cold: bool = False) -> Runner:
    """One machine in a race. ``cold``: the model is not in memory yet and is read from the drive.

    The load's time has no interval of its own: it moves both ends alike.
    """
    load = pace.load_s if cold else 0.0
    return Runner(
        name,
        f"{pace.model}, {pace.quant_id}",
        load + pace.ttft_s,
        load + pace.ttft_low,
        load + pace.ttft_high,
        pace.decode_tok_s,
        pace.decode_low,
        pace.decode_high,
    )


def check(tokens: int) -> None:
    """Raises ``InputError`` for a length that cannot be."""
    if not 1 <= tokens <= MOST_TOKENS:
        raise InputError(f"An answer has 1 to {MOST_TOKENS:,} tokens, not {tokens:,}.")


def outcome(first: Runner, second: Runner, tokens: int) -> str:
    """Who is done first, and whether the intervals leave that open."""
    a, b = first.done_s(tokens), second.done_s(tokens)
    fast, slow = (first, second) if a <= b else (second, first)
    (_, latest), (earliest, _) = fast.done_between_s(tokens), slow.done_between_s(tokens)
    sure = latest < earliest
    told = (
        f"{fast.name} is done after {min(a, b):.0f} s, {slow.name} after {max(a, b):.0f} s "
        f"({tokens:,} tokens)"
    )
    return f"{told}." if sure else f"{told}; the intervals overlap, so it may be the other way."
