"""The parts of a model's name as people write it: words, quantization, format.

``mlx-community/Meta-Llama-3.1-8B-Instruct-4bit`` holds the words meta, llama, 3.1, 8b, instruct,
the quantization 4bit and the format mlx. Words are compared whole and in order, so a name can
match another only if every size, version and variant in it is the same.
"""

import re
import unicodedata
from dataclasses import dataclass

_WORD = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)*[a-z]*|[^\sa-z0-9._\-]")
_FILE_PART = re.compile(r"-[0-9]{5}-of-[0-9]{5}$")
_GROUP = r"(?:[-_]?(?:gs|g|group)[-_]?(?:32|64|128))?"
_QUANT = re.compile(
    r"(?<![a-z0-9])(?:"
    r"(?:ud[-_])?(?:iq[1-8]_[a-z]+|q[1-8]_k(?:_[a-z]+)?|q[1-8]_[01](?:_[0-9]){0,2}|tq[12]_0)"
    r"|bf16|fp16|f16|fp32|f32|fp8|mxfp4_moe|mxfp4|mxfp8|nvfp4"
    rf"|[1-8][-_]?bit{_GROUP}"
    r"|int[48]|q[1-8]|oq[0-9]+|jang[a-z]*[-_]?[0-9]*[a-z]*"
    r")(?![a-z0-9])"
)
# What a packer adds behind a name: how a quantization was tuned, never another model.
_TUNED = re.compile(
    r"(?<=bit)[-_]dwq(?:[-_](?:[0-9]{4,8}|v[0-9]))?(?![a-z0-9])"
    r"|[-._]i1(?=[-._](?:gguf|i?q[1-8]_))"
)
_HUB_PAGE = re.compile(r"/(?:tree|blob|resolve)/[^/]+$")  # of a whole repository
_ALIKE = str.maketrans(
    {**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),  # hyphens, dashes, minus
     **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),  # of no width
     **dict.fromkeys("()[],", " "), "\\": "/"}
)  # fmt: skip
_FORMATS = ("mlx", "gguf")
_FORMAT_OF_OWNER = {"mlx-community": "mlx"}


@dataclass(frozen=True)
class NameParts:
    """One name in its parts.

    readings   the words; more than one where 3_6 may be 3.6 or 3 and 6
    quant      the quantization as written, "" where the name has none
    format     "mlx" or "gguf", "" where the name does not say
    is_tag     written as an Ollama tag, name:size
    """

    readings: tuple[tuple[str, ...], ...]
    quant: str
    format: str
    is_tag: bool


def split(text: str) -> NameParts:
    """The parts of a name, hub id, file name, link or Ollama tag."""
    path = _HUB_PAGE.sub("", _typed(text).partition("?")[0].rstrip("/"))
    if path.startswith("models--"):  # a folder of the hub's cache
        path = path.removeprefix("models--").replace("--", "/")
    owner, _, name = path.rpartition("/")
    format_ = _FORMAT_OF_OWNER.get(owner.rpartition("/")[2], "")
    if name.endswith(".gguf"):
        name, format_ = name.removesuffix(".gguf"), "gguf"
    name = _FILE_PART.sub("", name).removesuffix(":latest")
    is_tag = ":" in name
    name = name.replace(":", "-").replace("@", "-")  # LM Studio writes model@quantization
    name = _TUNED.sub("", name)
    quants = [match.group() for match in _QUANT.finditer(name)]
    name = _QUANT.sub("-", name)
    readings = []
    for reading in _readings(name):
        words = tuple(word for word in _WORD.findall(reading) if word not in _FORMATS)
        readings.append(words)
    said = [word for word in _WORD.findall(name) if word in _FORMATS]
    return NameParts(
        readings=tuple(dict.fromkeys(readings)),
        quant="-".join(dict.fromkeys(quants)),
        format=said[-1] if said else format_,
        is_tag=is_tag,
    )


def words(text: str) -> tuple[str, ...]:
    """The words of a name in its first reading."""
    return split(text).readings[0]


def _typed(text: str) -> str:
    """The text in small letters as typed on a keyboard: no typographic hyphens, no brackets."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return text.translate(_ALIKE).strip().lower()


def _readings(name: str) -> list[str]:
    """``qwen3_6_27b`` is qwen3-6-27b or qwen3.6-27b: each way to read its underscores."""
    between_digits = r"(?<=[0-9])_(?=[0-9])"
    if not re.search(between_digits, name):
        return [name.replace("_", "-")]
    first_is_point = re.sub(between_digits, ".", name, count=1)
    return [text.replace("_", "-") for text in (name, first_is_point)]
