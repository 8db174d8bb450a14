from dataclasses import replace

import pytest

from advisor.errors import InputError
from advisor.routing.exports.setup import Choices, choices_of, set_up
from advisor.routing.workload import preset
from tests.routing.exports import tables


def test_every_resident_has_a_server_and_a_port_of_its_own(setup):
    assert [server.name for server in setup.servers] == [r.name for r in setup.table.residents]
    assert len({server.port for server in setup.servers}) == 4


def test_mlx_and_gguf_files_have_their_programs(setup):
    programs = {server.name: server.program for server in setup.servers}

    assert programs[tables.SMALL.name] == "mlx_lm.server"
    assert programs[tables.WIDE.name] == "llama-server"
    assert programs[tables.EMBEDDER.name] == "llama-server"


def test_the_reserve_is_shared_by_what_can_be_in_memory_together(setup):
    shares = {server.name: server.reserve_bytes for server in setup.servers}

    assert shares[tables.EMBEDDER.name] == 0
    assert sum(shares.values()) == pytest.approx(2e9)


def test_two_on_demand_models_take_turns_with_one_share(catalog):
    other = replace(tables.WIDE, name="other", kv_bytes=1e9)
    table = tables.table(catalog, residents=(tables.SMALL, tables.WIDE, other), routes=())

    shares = [server.reserve_bytes for server in set_up(catalog, table).servers]

    # 1 GB of caches always there, 4 GB in the slot: a fifth and four fifths of 2 GB.
    assert shares == pytest.approx([0.4e9, 1.6e9, 1.6e9])


def test_a_hosted_model_stands_behind_where_the_table_uses_one(catalog, setup):
    local = tables.table(catalog, routes=tables.ROUTES[:2])

    assert setup.hosted
    assert not set_up(catalog, local, Choices(sources=tables.SOURCES)).hosted
    assert set_up(catalog, local, Choices(sources=tables.SOURCES, hosted=True)).hosted


def test_a_model_without_known_files_is_a_sentence(catalog):
    unknown = replace(tables.SMALL, model_id="no-such-model")

    with pytest.raises(InputError, match="No files are known for qwen3-4b-4bit"):
        set_up(catalog, tables.table(catalog, residents=(unknown,), routes=()))


def test_an_answer_twice_as_long_as_usual_is_not_cut(catalog, table):
    said = Choices(sources=tables.SOURCES, output_tokens={"reasoning": 3432, "long": 389})

    cuts = {server.name: server.output_tokens for server in set_up(catalog, table, said).servers}

    assert cuts[tables.CODER.name] == 6864
    # At least 1,024 tokens.
    assert cuts[tables.WIDE.name] == 1024


def test_an_answer_takes_at_most_half_the_context(catalog):
    table = tables.table(catalog, residents=(replace(tables.SMALL, context_tokens=1024),))

    assert set_up(catalog, table).servers[0].output_tokens == 512


def test_the_catalogs_embedders_have_files(catalog):
    known = replace(tables.EMBEDDER, model_id="qwen3-embedding-0.6b", quant_id="Q8_0")

    (server,) = set_up(catalog, tables.table(catalog, residents=(known,), routes=())).servers

    assert (server.source, server.gguf_quant) == ("Qwen/Qwen3-Embedding-0.6B-GGUF", "Q8_0")


def test_a_workload_says_its_classes_kinds_and_answers(catalog):
    found = choices_of(preset(catalog, "personal-agent"), ttl_s=60)

    assert found.kinds["agent"] == "agent"
    assert found.kinds["embeddings"] == "embeddings"
    assert found.output_tokens["embeddings"] == 0
    assert found.ttl_s == 60
