"""A line's question is understood part by part; what is not is said and nothing raises."""

import pytest

from advisor.catalog import load
from advisor.cli import asked

LINE = {"chip": "M4 Pro", "gpu_cores": "16", "memory_gb": "48", "runtime": "mlx-lm",
        "model": "Qwen3-8B", "quant": "mlx-4bit", "context_tokens": "4096",
        "batch": "2"}  # fmt: skip


def test_a_whole_line_is_a_case():
    row = asked.understand(load(), LINE)

    assert row.problems == []
    assert (row.context_tokens, row.batch) == (4096, 2)
    cases = asked.cases_of([row, row])
    assert cases.variant.tolist() == [load().variant_index("qwen3-8b", "mlx-4bit")] * 2
    assert cases.machine.tolist() == [0, 1]
    assert len(asked.machines_of([row, row])) == 2


def test_an_empty_context_is_that_of_the_first_token():
    row = asked.understand(load(), LINE | {"context_tokens": "0"})

    assert asked.cases_of([row]).context_tokens.tolist() == [1]


WRONG = {
    "two parts": ({"chip": "M44", "quant": "Q99"}, 2),
    "no whole number": ({"context_tokens": "12.5"}, 1),
    "not finite": ({"memory_gb": "inf"}, 1),
    "no batch of none": ({"batch": "0"}, 1),
}


@pytest.mark.parametrize(("cells", "count"), WRONG.values(), ids=WRONG)
def test_each_part_not_understood_is_a_problem(cells, count):
    assert len(asked.understand(load(), LINE | cells).problems) == count
