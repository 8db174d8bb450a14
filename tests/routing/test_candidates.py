"""Candidates hold the engine's own bytes and speeds, at the contexts that a workload needs."""

from functools import cache

import numpy as np
import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.routing.candidates import Wishes, candidates, options
from advisor.routing.workload import preset

MACHINE = "mac-mini-m4-pro-48"


@cache
def found(workload: str = "personal-agent", **wishes: object):
    catalog = load()
    asked = preset(catalog, workload)
    return asked, candidates(catalog, catalog.machine(MACHINE), asked, "mlx-lm", Wishes(**wishes))


def row(table, model_id: str, quant_id: str) -> int:
    (at,) = np.flatnonzero((table.model_id == model_id) & (table.quant_id == quant_id))
    return int(at)


def test_bytes_and_pace_are_those_of_the_engines_table():
    asked, table = found()
    at = row(table, "qwen3-8b", "mlx-4bit")
    chat = next(i for i, c in enumerate(asked.classes) if c.id == "chat")
    context = asked.classes[chat].context_tokens
    catalog = load()
    told = plan.table(
        catalog, [catalog.machine(MACHINE)], runtime="mlx-lm", context_tokens=context,
        model_ids=["qwen3-8b"], quant_ids=["mlx-4bit"],
    ).iloc[0]  # fmt: skip
    option = list(table.option_context).index(context)

    assert table.total_bytes[at, option] == pytest.approx(told["total_bytes"])
    assert table.budget_bytes == told["budget_bytes"]
    assert table.decode_tok_s[at, chat] == pytest.approx(told["decode_tok_s"])
    assert table.load_s[at] == pytest.approx(told["load_s"])


def test_a_first_token_without_a_prefix_is_the_engines_and_with_one_is_sooner():
    asked, table = found()
    at = row(table, "qwen3-8b", "mlx-4bit")
    catalog = load()
    for c, request in enumerate(asked.classes):
        if request.embeds:
            continue
        told = plan.table(
            catalog, [catalog.machine(MACHINE)], runtime="mlx-lm",
            context_tokens=round(request.prompt_p90_tokens),
            model_ids=["qwen3-8b"], quant_ids=["mlx-4bit"],
        ).iloc[0]["ttft_s"]  # fmt: skip
        if request.prefix_share:
            assert table.ttft_s[at, c] < told
        else:
            assert table.ttft_s[at, c] == pytest.approx(told, rel=0.01)
        assert table.cold_s[at, c] >= table.load_s[at] + told * 0.99


def test_a_class_past_a_models_own_context_is_not_for_it():
    asked, table = found("coding-agent")
    at = row(table, "llama-3.1-8b", "mlx-4bit")  # 128K

    assert [c.context_tokens > 131072 for c in asked.classes] == [True, False]
    assert table.can[at].tolist() == [False, True]


def test_quantizations_that_break_are_left_out_and_embedders_are_in():
    _, table = found()

    assert not {"mlx-2bit", "mlx-3bit"} & set(table.quant_id)
    assert table.embedder.sum() == 5
    assert not table.can[table.embedder, 0].any()


def test_options_are_every_context_with_every_number_of_sequences():
    catalog = load()
    contexts, slots = options(preset(catalog, "personal-agent"))

    assert contexts.tolist() == [1024, 4096, 6144, 17408, 28672]
    assert set(slots) == {1}


def test_a_machine_without_memory_is_a_sentence():
    catalog = load()
    machine = catalog.machine_from_parts("M4 Pro", 16)

    with pytest.raises(InputError, match="needs the memory size"):
        candidates(catalog, machine, preset(catalog, "chat"), "mlx-lm", Wishes())
