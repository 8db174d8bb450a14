"""The rule list of a table: which kind of request its classes answer, said in words."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.errors import InputError
from advisor.routing.classify import SHORT_TOKENS, Rule, Rules
from advisor.routing.table import Route, RoutingTable

# In the order in which the rules are tried.
KINDS = ("embeddings", "images", "agent", "long", "code", "reasoning", "short", "chat")
ALSO_CALLED = {"image": "images", "vision": "images", "tools": "agent", "document": "long",
               "simple": "short", "embedding": "embeddings"}  # fmt: skip
DEFAULT_LONG_TOKENS = 4096
# Their contexts say from which length on a prompt is a long document.
USUAL_KINDS = ("chat", "code", "reasoning")


def rules(table: RoutingTable, kinds: Mapping[str, str] | None = None) -> Rules:
    """The rules of a table's classes.

    kinds   kind of request of a class, one of ``KINDS``, by class id; a class that is not named
            here is of the kind its id says, and else is reached by its name alone

    Of two classes of a kind the one with the larger share is chosen. Raises ``InputError`` for
    a table without a class that can take what no rule holds for.
    """
    chosen: dict[str, Route] = {}
    for route in table.routes:
        kind = kind_of(route.class_id, kinds)
        if kind and (kind not in chosen or route.share > chosen[kind].share):
            chosen[kind] = route
    if "chat" not in chosen:
        rest = [
            r for r in table.routes if kind_of(r.class_id, kinds) not in ("embeddings", "images")
        ]
        if not rest:
            raise InputError(
                "No class of this table answers prompts, so no rule can send any there. "
                "Add a class such as chat."
            )
        chosen["chat"] = max(rest, key=lambda route: route.share)
    usual = [chosen[kind].context_tokens for kind in USUAL_KINDS if kind in chosen]
    long_tokens = usual[0] if usual else DEFAULT_LONG_TOKENS
    return Rules(
        tuple(
            Rule(kind, chosen[kind].class_id, _words(kind, chosen[kind].class_id, long_tokens))
            for kind in KINDS
            if kind in chosen
        ),
        long_tokens,
    )


def kind_of(class_id: str, kinds: Mapping[str, str] | None = None) -> str:
    """The kind of request of a class, "" where neither ``kinds`` nor its id says it."""
    said = (kinds or {}).get(class_id, class_id)
    said = ALSO_CALLED.get(said, said)
    return said if said in KINDS else ""


def in_words(found: Rules) -> list[str]:
    """The rules as sentences, in their order; the first that holds decides."""
    return [rule.words for rule in found.rules]


def _words(kind: str, class_id: str, long_tokens: int) -> str:
    what = {
        "embeddings": "A request for embeddings",
        "images": "A request with an image",
        "agent": "A request that defines tools or answers the call of one",
        "long": f"A prompt of more than {long_tokens:,} tokens (4 bytes of UTF-8 each)",
        "code": (
            "A prompt with a fenced block, a stack trace or mostly lines of code, or with two of: "
            "a programming language's name, a file of code, an identifier, a word of programming "
            "in any of many languages"
        ),
        "reasoning": (
            "A request for reasoning effort, a prompt with a formula, or with two of: signs of "
            "mathematics, an equation, many numbers, numbered steps, a word such as 'prove' in "
            "any of many languages"
        ),
        "short": f"A single message of at most {SHORT_TOKENS} tokens",
        "chat": "Everything else",
    }[kind]
    return f"{what} goes to {class_id}."
