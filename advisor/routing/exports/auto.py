"""``auto``: the rule list, as a hook that LiteLLM runs before it routes a request.

LiteLLM's own classifiers know nothing of tools, long documents or languages. So the export
carries copies of ``classify.py`` and ``signs.py``, the rules of this table, and a hook that
replaces ``auto`` by the class they choose and says so in a header of the answer.
Source: litellm 1.108.7, CustomLogger.async_pre_call_hook.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from advisor.routing import classify, signs
from advisor.routing.exports.litellm import AUTO, CALLBACK
from advisor.routing.exports.setup import Setup
from advisor.routing.exports.writing import json_text
from advisor.routing.rules import rules

FOLDER = "tollbooth_rules"
HEADER = "x-tollbooth-class"
HOOK = '''"""Replaces the model name "{auto}" by the class that the rules in {folder} choose."""

import json
import sys
from pathlib import Path

from litellm.integrations.custom_logger import CustomLogger

HERE = Path(__file__).resolve().parent / "{folder}"
sys.path.insert(0, str(HERE))

from advisor.routing.classify import Rule, Rules  # noqa: E402

FOUND = json.loads((HERE / "rules.json").read_text(encoding="utf-8"))
RULES = Rules(
    tuple(Rule(**rule) for rule in FOUND["rules"]), FOUND["long_tokens"], FOUND["short_tokens"]
)
ENDPOINTS = {{"embedding": "/v1/embeddings", "aembedding": "/v1/embeddings"}}


class Auto(CustomLogger):
    async def async_pre_call_hook(self, user_api_key_dict, cache, data, call_type):
        if data.get("model") == "{auto}":
            endpoint = ENDPOINTS.get(getattr(call_type, "value", call_type), "")
            decision = RULES.decide(data, endpoint)
            data["model"] = decision.class_id
            data.setdefault("metadata", {{}})["tollbooth"] = (
                f"{{decision.class_id}}: {{decision.reason}}"
            )
        return data

    async def async_post_call_response_headers_hook(self, data, *args, **kwargs):
        chosen = (data.get("metadata") or {{}}).get("tollbooth")
        return {{"{header}": chosen.encode("ascii", "replace").decode()}} if chosen else None


{instance} = Auto()
'''


def auto_files(setup: Setup) -> dict[str, str]:
    """The hook, the rules of the table and the copies they run, by file name."""
    module, instance = CALLBACK.split(".")
    found = rules(setup.table, setup.choices.kinds)
    package = f"{FOLDER}/advisor"
    return {
        f"{module}.py": HOOK.format(auto=AUTO, folder=FOLDER, header=HEADER, instance=instance),
        f"{FOLDER}/rules.json": json_text(asdict(found)),
        f"{package}/__init__.py": "",
        f"{package}/routing/__init__.py": "",
        f"{package}/routing/classify.py": _source(classify.__file__),
        f"{package}/routing/signs.py": _source(signs.__file__),
        f"{package}/routing/markers.json": signs.MARKERS.read_text(encoding="utf-8"),
    }


def _source(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
