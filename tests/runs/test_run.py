"""A run is checked, free of what names its owner, and named by what it says."""

from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.runs.run import as_fields, digest, from_fields, model_name
from tests.runs.examples import FIELDS, a_run


def test_the_same_content_has_the_same_id_and_any_other_another():
    run = a_run()

    assert a_run().id == run.id == digest(run)
    assert len(run.id) == 16
    others = [
        a_run(decode_tok_s=43.7), a_run(samples=(0.0229,)), a_run(batch=2), a_run(kind="whole"),
        a_run(created="2026-12-01T13:05:27Z"), a_run(settings={}),
        a_run(machine=replace(run.machine, gpu_cores=20)),
    ]  # fmt: skip
    assert len({run.id, *(other.id for other in others)}) == 8


def test_what_is_decided_about_a_run_is_no_part_of_its_id():
    decided = {"used": False, "model_id": "", "quant_id": "", "catalog_digest": "ba9876543210"}

    assert a_run(**decided).id == a_run().id


def test_an_imported_run_is_the_same_whenever_it_was_brought_in():
    first, second = (a_run(kind="imported", created=f"2026-12-0{day}T00:00:00Z") for day in (1, 2))

    assert first.id == second.id
    assert first.created != second.created


def test_a_run_survives_its_fields():
    run = a_run()

    assert from_fields(as_fields(run)) == run
    assert asdict(run)["samples"] == (0.0229, 0.1 + 0.2, 1e-9)


def test_an_id_that_is_given_is_never_trusted():
    assert from_fields({**as_fields(a_run()), "id": "0000"}).id == a_run().id


def test_a_run_is_made_now_in_utc():
    fields = {name: value for name, value in FIELDS.items() if name != "created"}

    made = datetime.fromisoformat(a_run(created=from_fields_now(fields)).created)

    assert datetime.now(UTC) - made < timedelta(minutes=1)
    assert a_run(created="2026-12-01T14:05:26+01:00").created == "2026-12-01T13:05:26.000Z"


def from_fields_now(fields: dict) -> str:
    from advisor.runs import new

    return new(**fields).created


NAMES = {
    "mlx-community/Qwen3-8B-4bit": "mlx-community/Qwen3-8B-4bit",
    "qwen3:8b": "qwen3:8b",
    "/Users/ada/models/Qwen3-8B-4bit/": "Qwen3-8B-4bit",
    "~/models/Qwen3-8B-Q4_K_M.gguf": "Qwen3-8B-Q4_K_M.gguf",
    "./qwen3": "qwen3",
    r"C:\Users\ada\qwen3.gguf": "qwen3.gguf",
    "/Users/ada/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/abc": "Qwen/Qwen3-8B",
}


@pytest.mark.parametrize(("given", "name"), NAMES.items())
def test_a_path_is_cut_to_the_models_own_name(given, name):
    assert model_name(given) == a_run(model=given).model == name


def test_the_home_of_the_user_is_not_kept():
    home = str(Path.home())

    run = a_run(settings={"path": [f"{home}/x"]}, warnings=(f"{home} is full",))

    assert run.settings == {"path": ["~/x"]}
    assert run.warnings == ("~ is full",)


WRONG = {
    "no speed": ({"decode_tok_s": None, "prefill_tok_s": None}, "needs decode_tok_s or prefill"),
    "a speed of nothing": ({"decode_tok_s": 0}, "decode_tok_s: input should be greater than 0"),
    "infinity": ({"decode_tok_s": float("inf")}, "decode_tok_s"),
    "a kind of its own": ({"kind": "guess"}, "kind: input should be 'slice', 'whole' or"),
    "a batch of none": ({"batch": 0}, "batch"),
    "a count beyond all": ({"context_tokens": 2**63}, "context_tokens"),
    "no chip": ({"machine": {}}, r"machine\.chip: field required"),
    "a field too many": ({"serial": "C02"}, "serial: "),
    "a negative sample": ({"samples": [-1.0]}, r"samples\.0"),
    "no time": ({"created": "yesterday"}, "created: 'yesterday' is no ISO 8601 time"),
    "a time without zone": ({"created": "2026-12-01T13:05:26"}, "time zone"),
    "an object in settings": ({"settings": {"path": Path("/x")}}, "no plain JSON value"),
    "infinity in settings": ({"settings": {"limit": float("inf")}}, "no plain JSON value"),
    "half a character": ({"model": "x\ud800"}, "."),
    "a zero character": ({"warnings": ["x\0y"]}, "zero character"),
    "a long text": ({"model": "x" * 301}, "model"),
}


@pytest.mark.parametrize(("changed", "said"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_said(changed, said):
    with pytest.raises(InputError, match=said):
        a_run(**changed)


def test_only_what_the_catalog_knows_is_matched():
    assert a_run().is_matched
    assert not a_run(model_id="").is_matched
    assert not a_run(quant_id="").is_matched
