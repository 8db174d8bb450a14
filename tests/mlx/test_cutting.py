"""A cut config says the same of fewer layers, in each of the ways configs say it."""

from advisor.mlx import cutting
from tests import small_models


def test_a_list_keeps_the_entries_of_the_picked_layers():
    config = small_models.listed(10)

    found = cutting.cut(config, 10, [0, 2, 7])

    assert found["num_hidden_layers"] == 3
    assert found["layer_types"] == ["conv", "full_attention", "full_attention"]
    assert config["num_hidden_layers"] == 10


def test_counts_at_the_front_and_at_the_end_count_what_is_left():
    config = {"num_hidden_layers": 9, "first_k_dense_replace": 3, "num_kv_shared_layers": 4}

    found = cutting.cut(config, 9, [0, 2, 3, 4, 8])

    assert found["first_k_dense_replace"] == 2
    assert found["num_kv_shared_layers"] == 1


def test_lists_of_numbers_name_the_new_places():
    config = {
        "num_hidden_layers": 6,
        "mlp_only_layers": [1, 4],
        "linear_attn_config": {"kda_layers": [1, 2, 3, 5], "full_attn_layers": [4, 6]},
    }

    found = cutting.cut(config, 6, [0, 3, 4])

    assert found["mlp_only_layers"] == [2]
    assert found["linear_attn_config"] == {"kda_layers": [1, 3], "full_attn_layers": [2]}


def test_a_pattern_of_letters_is_cut_and_other_words_are_not():
    config = {"num_hidden_layers": 6, "hybrid_override_pattern": "MEM*ME", "hidden_act": "swiglu"}

    found = cutting.cut(config, 6, [0, 3])

    assert (found["hybrid_override_pattern"], found["hidden_act"]) == ("M*", "swiglu")


def test_lists_of_rotary_factors_are_no_lists_of_layers():
    config = {"num_hidden_layers": 4, "rope_scaling": {"long_factor": [1, 2, 3, 4]}}

    assert cutting.cut(config, 4, [0])["rope_scaling"] == {"long_factor": [1, 2, 3, 4]}


def test_the_text_part_of_a_config_is_cut_with_its_interval():
    found = cutting.cut(small_models.hybrid(16), 16, [0, 1], interval=2)

    assert found["text_config"]["num_hidden_layers"] == 2
    assert found["text_config"]["full_attention_interval"] == 2
