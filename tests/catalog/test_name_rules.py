"""names.toml is strict: a rule that points nowhere or twice is a sentence, not a wrong match."""

import shutil

import pytest

from advisor.catalog import load
from advisor.catalog.load import DEFAULT_ROOT
from advisor.catalog.model_names import model_names
from advisor.catalog.name_parts import split
from advisor.catalog.quant_names import quant_names
from advisor.errors import CatalogError

HEAD = 'same_shape_words = ["it"]\nmakers = []\ndefault_texts = []\nollama_default_quants = []\n'


@pytest.fixture
def rules(facts):
    """A catalog of two models with the given rules."""

    def write(text):
        (facts / "models").mkdir()
        for model in ("qwen3-8b", "qwen3-4b"):
            shutil.copy(DEFAULT_ROOT / "models" / f"{model}.json", facts / "models")
        (facts / "names.toml").write_text(HEAD + text, encoding="utf-8")
        return load(facts)

    return write


ALIAS = '[[alias]]\nmodel = "{}"\nnames = ["{}"]\nwhy = "a test"\n'
QUANT = '[[quant]]\ntexts = ["four"]\nformat = "mlx"\nquants = [{}]\n'


def test_an_alias_of_no_model_is_refused(rules):
    with pytest.raises(CatalogError, match=r"no file models/qwen3-9b\.json"):
        model_names(rules(ALIAS.format("qwen3-9b", "nine")))


def test_a_name_of_two_models_is_refused(rules):
    with pytest.raises(CatalogError, match="'Qwen3-8B' stands for qwen3-8b and for qwen3-4b"):
        model_names(rules(ALIAS.format("qwen3-4b", "Qwen3-8B")))


def test_an_alias_needs_its_reason(rules):
    with pytest.raises(CatalogError, match="why"):
        model_names(rules(ALIAS.format("qwen3-8b", "eight").replace('why = "a test"\n', "")))


def test_only_a_tag_can_be_for_tags_only(rules):
    with pytest.raises(CatalogError, match="tags_only needs Ollama tags"):
        model_names(rules(ALIAS.format("qwen3-8b", "eight") + "tags_only = true\n"))


def test_a_text_of_no_quantization_is_refused(rules):
    with pytest.raises(CatalogError, match=r"'mlx-9bit' is not in quants\.toml"):
        quant_names(rules(QUANT.format('"mlx-9bit"')))


def test_texts_and_quantizations_stand_in_pairs(rules):
    with pytest.raises(CatalogError, match="texts and quants must have the same length"):
        quant_names(rules(QUANT.format('"mlx-4bit", "mlx-8bit"')))


def test_a_new_alias_is_known_at_once(rules):
    catalog = rules(ALIAS.format("qwen3-8b", "Octopus-8B"))

    assert model_names(catalog).find(split("org/octopus-8b-it")) == (("qwen3-8b",), False)
