"""What tells cases apart is what the catalog says of their models."""

import numpy as np

from advisor.estimate import corrections


def test_features_are_those_of_the_model(catalog):
    names = [("qwen3-8b", "mlx-4bit"), ("qwen3-8b", "mlx-8bit"), ("qwen3-30b-a3b", "mlx-4bit")]
    variant = np.array([catalog.variant_index(*name) for name in names])

    seen = corrections.features(catalog, variant, np.array([0.1, 0.2, 0.3]), np.zeros(3))

    assert seen.model[0] == seen.model[1] != seen.model[2]
    assert len(set(seen.variant)) == 3
    assert seen.kind.tolist() == [False, False, True]  # experts or not
    assert seen.architecture[0] != seen.architecture[2]
    assert seen.overhead.tolist() == [0.1, 0.2, 0.3]
