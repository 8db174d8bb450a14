"""Which class a request belongs to, by rules that people can read.

The first rule that holds decides: endpoint, images, tools, tokens, code, reasoning, short, else
chat. Each looks at the request's form; words (stems in many languages) count as one sign and
need another that is the same in every language, so no language is at an advantage.

This file and ``signs.py`` need nothing but Python: an exported router runs copies of them.
Source of the order: features of published routers (LiteLLM, vLLM semantic router), 2026.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.routing.signs import enough

# Of UTF-8. LiteLLM's counter (cl100k) gives 0.8 to 1.6 times as many, in nine languages and code.
BYTES_PER_TOKEN = 4
SHORT_TOKENS = 60
IMAGE_TYPES = frozenset({"image_url", "input_image", "image"})
TOOL_TYPES = frozenset({"tool_use", "tool_result", "function_call", "function_call_output"})
NO_EFFORT = (None, "", "none", "minimal", False)
# Longer prompts are judged by their beginning and their end, where the question stands.
JUDGED_CHARS = 400
CONVERSATION_MESSAGES = 3  # a code block among the last three keeps a conversation in its class


@dataclass(frozen=True, slots=True)
class Rule:
    """What makes a request one of a kind, and the class of the table that answers it."""

    kind: str
    class_id: str
    words: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The class that answers a request, why, and the prompt's tokens as the rules count them."""

    class_id: str
    kind: str
    reason: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Rules:
    """An ordered list; the last rule, ``chat``, holds for everything."""

    rules: tuple[Rule, ...]
    long_tokens: int
    short_tokens: int = SHORT_TOKENS

    def decide(self, request: Mapping[str, Any], endpoint: str = "") -> Decision:
        """The class of a request to a chat, completion or embeddings endpoint.

        request    the request's JSON as OpenAI's or Anthropic's interface has it; what is not
                   understood in it is passed over
        endpoint   the path it was sent to, where it is known
        """
        messages = [m for m in _sequence(request.get("messages")) if isinstance(m, Mapping)]
        tokens = _tokens(request, messages)
        for rule in self.rules:
            reason = self._holds(rule.kind, request, messages, endpoint, tokens)
            if reason:
                return Decision(rule.class_id, rule.kind, reason, tokens)
        raise AssertionError("the last rule holds for every request")

    def _holds(
        self,
        kind: str,
        request: Mapping[str, Any],
        messages: Sequence[Mapping[str, Any]],
        endpoint: str,
        tokens: int,
    ) -> str:
        """Why a rule holds, "" where it does not."""
        if kind == "embeddings":
            return "it asks for embeddings" if "embed" in endpoint else ""
        if kind == "images":
            return "it has an image" if _has_part(messages, IMAGE_TYPES) else ""
        if kind == "agent":
            return _tools(request, messages)
        if kind == "long":
            over = tokens > self.long_tokens
            return f"about {tokens:,} tokens, more than {self.long_tokens:,}" if over else ""
        if kind == "code":
            return _code(request, messages)
        if kind == "reasoning":
            return _reasoning(request, messages)
        if kind == "short":
            turns = sum(m.get("role") == "user" for m in messages)
            brief = tokens <= self.short_tokens and turns <= 1
            return f"a single message of about {tokens} tokens" if brief else ""
        return "no rule before it holds"


def asked(text: str) -> dict[str, Any]:
    """A pasted prompt as a request."""
    return {"messages": [{"role": "user", "content": text}]}


def _sequence(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _texts(content: Any) -> Iterator[str]:
    """The texts of a message's content: a string, or parts of which some are texts."""
    if isinstance(content, str):
        yield content
    for part in _sequence(content):
        text = part.get("text") if isinstance(part, Mapping) else part
        if isinstance(text, str):
            yield text


def _tokens(request: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> int:
    """About how many tokens a model reads, tool definitions included."""
    contents = [m.get("content") for m in messages]
    contents += [request.get(key) for key in ("system", "prompt", "input", "instructions")]
    count = sum(_utf8_bytes(text) for content in contents for text in _texts(content))
    for key in ("tools", "functions"):
        if request.get(key):
            count += len(json.dumps(request[key], default=str))
    return -(-count // BYTES_PER_TOKEN)


def _utf8_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def _has_part(messages: Sequence[Mapping[str, Any]], types: frozenset[str]) -> bool:
    return any(
        isinstance(part, Mapping) and part.get("type") in types
        for message in messages
        for part in _sequence(message.get("content"))
    )


def _tools(request: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> str:
    count = sum(len(_sequence(request.get(key))) for key in ("tools", "functions"))
    if count:
        return f"it defines {count} tool{'s' if count > 1 else ''}"
    roles = any(m.get("role") in ("tool", "function") or m.get("tool_calls") for m in messages)
    if roles or _has_part(messages, TOOL_TYPES):
        return "it answers the call of a tool"
    return ""


def _question(request: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> str:
    """The last thing a user wrote, its beginning and end where it is long."""
    contents = [m.get("content") for m in messages if m.get("role") == "user"]
    content = contents[-1] if contents else request.get("prompt") or request.get("input")
    text = "\n".join(_texts(content))
    if len(text) > 2 * JUDGED_CHARS:
        return text[:JUDGED_CHARS] + "\n" + text[-JUDGED_CHARS:]
    return text


def _code(request: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> str:
    for message in messages[-CONVERSATION_MESSAGES:]:
        if any("```" in text for text in _texts(message.get("content"))):
            return "a fenced block of code"
    return enough("code", _question(request, messages))


def _reasoning(request: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> str:
    effort = request.get("reasoning_effort")
    nested = request.get("reasoning")
    if isinstance(nested, Mapping):
        effort = effort or nested.get("effort")
    thinking = request.get("thinking")
    if effort not in NO_EFFORT:
        return f"it asks for {effort} reasoning effort"
    if isinstance(thinking, Mapping) and thinking.get("type") == "enabled":
        return "it asks for thinking"
    return enough("reasoning", _question(request, messages))
