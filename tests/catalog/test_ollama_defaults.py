"""A default tag is a quantization only where its size says so."""

from advisor.catalog import load
from advisor.catalog.names import resolve

CATALOG = load()
DEFAULT = "ollama default tag"


def test_a_default_tag_is_the_named_tag_of_its_size():
    # llama3.1:8b and llama3.1:8b-instruct-q4_K_M: 4.9 GB, no other quantization of it is.
    found = resolve(CATALOG, "llama3.1:8b", "", "ollama")

    assert (found.model_id, found.quant_id, found.problem) == ("llama-3.1-8b", "Q4_K_M", "")
    assert found.assumed == ("Ollama's default tag is Q4_K_M, by its size",)


def test_a_small_model_whose_default_is_8_bit():
    assert resolve(CATALOG, "llama3.2:1b", "", "ollama").quant_id == "Q8_0"


def test_a_plain_name_takes_the_default_of_its_model():
    assert resolve(CATALOG, "Qwen3-14B", DEFAULT, "ollama").quant_id == "Q4_K_M"


def test_the_tag_in_a_remark_is_the_one_that_ran():
    found = resolve(
        CATALOG, "Qwen3.5-9B", DEFAULT, "ollama", "short prompts; source name: qwen3.5:9b-mlx"
    )

    assert found.quant_id == ""
    assert "Ollama's tag 'qwen3.5:9b-mlx'" in found.problem


def test_a_remark_that_names_the_quantization_is_believed():
    note = "short prompts; source name: glm-4.7-flash:q4_K_M"

    assert resolve(CATALOG, "GLM-4.7-Flash", DEFAULT, "ollama", note).quant_id == "Q4_K_M"


def test_a_tag_with_the_size_of_two_quantizations_stays_unknown():
    # mistral-nemo:12b weighs 7.1 GB, as do its q4_0 and q4_K_S.
    found = resolve(CATALOG, "mistral-nemo:12b", "", "ollama")

    assert (found.model_id, found.quant_id) == ("mistral-nemo-12b", "")
    assert found.problem == (
        "quant of Ollama's tag 'mistral-nemo:12b' could be Q4_0 or Q4_K_S, by its size"
    )


def test_a_plain_name_takes_no_default_that_its_own_tag_leaves_open():
    assert resolve(CATALOG, "Mistral-Nemo-12B", DEFAULT, "ollama").quant_id == ""


def test_the_default_of_a_model_is_not_that_of_a_variant():
    # gemma3:27b is Q4_K_M, gemma3:27b-it-qat is Q4_0.
    assert resolve(CATALOG, "gemma-3-27b-it", DEFAULT, "ollama").quant_id == "Q4_K_M"
    assert resolve(CATALOG, "gemma3:27b-it-qat", "", "ollama").quant_id == "Q4_0"


def test_a_tag_of_one_release_only_does_not_claim_its_size():
    found = resolve(CATALOG, "gpt-oss:20b", "", "ollama")

    assert found.quant_id == "MXFP4_MOE"
    assert found.assumed == ("Ollama's default tag is MXFP4_MOE, by how it was released",)


def test_a_tag_without_a_known_size_says_so():
    assert (
        "its size is not in the catalog" in resolve(CATALOG, "granite4.1:8b", "", "ollama").problem
    )


def test_an_equal_size_by_chance_is_no_default():
    # command-r:35b (19 GB, the later release) and the first release's q3_K_L: 19 GB.
    assert resolve(CATALOG, "command-r:35b", "", "ollama").quant_id == ""


def test_a_default_tag_means_nothing_elsewhere():
    assert "quant is empty" in resolve(CATALOG, "Qwen3-14B", DEFAULT, "mlx-lm").problem
