"""A run finds its model by the names people use; one that the catalog does not know is kept."""

from advisor.catalog import load
from advisor.runs import open_store
from advisor.runs.matching import match_again, matched
from tests.runs.examples import a_run

CATALOG = load()
UNKNOWN = {"model_id": "", "quant_id": ""}


def test_a_name_as_people_write_it_is_found():
    run = matched(CATALOG, a_run(**UNKNOWN))

    assert (run.model_id, run.quant_id) == ("qwen3-8b", "mlx-4bit")
    assert run.id == a_run().id


def test_ids_of_another_catalog_are_asked_for_again():
    assert matched(CATALOG, a_run(model_id="of-another-catalog")).model_id == "qwen3-8b"


def test_a_model_that_nobody_knows_stays_unmatched():
    run = a_run(model="my-own-model-7b", model_id="of-another-catalog")

    assert matched(CATALOG, run) == a_run(model="my-own-model-7b", **UNKNOWN)


def test_a_store_is_matched_again_when_the_catalog_has_learnt(tmp_path):
    with open_store(str(tmp_path / "runs.sqlite3")) as store:
        store.add_all([a_run(**UNKNOWN), a_run(model="my-own-model-7b", **UNKNOWN)])

        assert match_again(CATALOG, store) == 1
        assert match_again(CATALOG, store) == 0
        assert sorted(run.model_id for run in store.runs()) == ["", "qwen3-8b"]
