"""A workload says what it asks in numbers that hold together; each preset figure has a source."""

import math

import pytest

from advisor.catalog import load
from advisor.errors import CatalogError, InputError
from advisor.routing import workload
from advisor.routing.workload import RequestClass, Workload, lognormal_mean

CHAT = {
    "id": "chat", "name": "Chat", "scale": "chat", "share": 1.0, "prompt_p50_tokens": 1000.0,
    "prompt_p90_tokens": 2735.0, "output_p50_tokens": 129.0, "output_p90_tokens": 424.0,
    "prefix_share": 0.5, "least_tok_s": 20.0, "most_ttft_s": 5.0,
}  # fmt: skip


def request(**changed: object) -> RequestClass:
    return RequestClass.model_validate({**CHAT, **changed})


def of(*classes: RequestClass, **changed: object) -> Workload:
    given = {"id": "w", "name": "W", "requests_per_hour": 60.0, "classes": classes}
    return Workload.model_validate({**given, **changed})


def test_the_context_is_nine_in_ten_prompts_and_answers_in_steps_of_1024():
    assert request().context_tokens == 4096  # 2,735 + 424 = 3,159
    assert request(prompt_p90_tokens=3672).context_tokens == 4096  # 4,096 exactly


def test_the_mean_of_a_lognormal_by_hand():
    # p90 = p50 * exp(1.2816 sigma): with sigma 1 the mean is p50 * exp(1/2).
    assert lognormal_mean(100, 100 * math.exp(1.2815515655)) == pytest.approx(164.872, rel=1e-5)
    assert lognormal_mean(100, 100) == 100


def test_shares_are_scaled_to_sum_to_one():
    shares = of(request(share=3), request(id="b", share=1)).shares

    assert shares == (0.75, 0.25)


BROKEN = {
    "shares of nothing": ({"share": 0.0}, "shares of all classes are 0"),
    "p90 below p50": ({"prompt_p90_tokens": 10.0}, "nine in ten cannot end at 10"),
    "an unknown scale": ({"scale": "poetry"}, "scale is one of short, chat"),
    "an answer of nothing": ({"output_p50_tokens": 0.0}, "1 output token or more"),
    "embeddings that answer": ({"scale": "embeddings"}, "have no output tokens"),
}


@pytest.mark.parametrize(("changed", "said"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_is_said(changed, said):
    with pytest.raises(ValueError, match=said):
        of(request(**changed))


def test_a_class_may_be_there_once():
    with pytest.raises(ValueError, match="'chat' is there twice"):
        of(request(), request())


def test_presets_load_and_their_figures_have_sources():
    found = workload.presets(load())

    assert {"personal-agent", "short-only", "coding-agent", "chat"} <= set(found)
    for preset in found.values():
        assert sum(preset.shares) == pytest.approx(1)
        assert all(c.sources for c in preset.classes)


def test_an_unknown_preset_names_the_nearest():
    with pytest.raises(InputError, match="Nearest: personal-agent"):
        workload.preset(load(), "personal-agnt")


def test_a_figure_without_a_source_is_refused(tmp_path):
    text = (load().root / "workloads" / "personal-agent.toml").read_text()
    (tmp_path / "workloads").mkdir()
    (tmp_path / "chips").mkdir()
    broken = text.replace('backs = ["requests_per_hour", "most_busy_share"]', 'backs = ["hosted"]')
    (tmp_path / "workloads" / "personal-agent.toml").write_text(broken)

    with pytest.raises(CatalogError, match="no source backs requests_per_hour"):
        workload.preset(load(tmp_path), "personal-agent")
