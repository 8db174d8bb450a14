"""Runs are brought in from a file, and a switch says which of them count."""

import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.runs import jsonl, open_store
from advisor.views import calibrate_history
from tests.runs.examples import a_run

OLLAMA = """total duration:       5.2s
load duration:        31.2ms
prompt eval count:    26 token(s)
prompt eval duration: 129.9ms
prompt eval rate:     200.15 tokens/s
eval count:           259 token(s)
eval duration:        4.3s
eval rate:            60.10 tokens/s
"""


@pytest.fixture(autouse=True)
def _store(monkeypatch, tmp_path):
    monkeypatch.setenv("TOLLBOOTH_DATA", str(tmp_path / "data"))


def bring(text: str, model: str = "", quant: str = "") -> str:
    return calibrate_history.bring_in(load(), text, model, quant)


def test_the_same_file_twice_is_brought_in_once():
    text = "".join(jsonl.lines([a_run(), a_run(decode_tok_s=41.0)]))

    assert bring(text) == "2 new runs, 0 known already."
    assert bring(text) == "0 new runs, 2 known already."


def test_what_ollama_printed_becomes_runs_of_the_named_model():
    assert "new run" in bring(OLLAMA, "qwen3:8b")
    with open_store() as store:
        runs = store.runs()

    assert {run.model_id for run in runs} == {"qwen3-8b"}
    # 259 tokens in 4.3 s
    assert pytest.approx(259 / 4.3) in [run.decode_tok_s for run in runs]


def test_an_unknown_model_is_kept_and_told():
    text = "".join(jsonl.lines([a_run(model="Nonesuch-9B", model_id="", quant_id="")]))

    assert "1 of a model the catalog does not know" in bring(text)


def test_a_text_that_is_none_of_these_is_a_sentence():
    with pytest.raises(InputError):
        bring("good morning")
