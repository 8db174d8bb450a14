"""The door to mlx-lm: build a model, quantize it, run it, all lazily and silently.

Every name of mlx-lm that is private, or that a new version may change, is used here or in
``caches`` and nowhere else; ``tests/mlx/test_models.py`` fails by name when one is gone.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from advisor.errors import InputError
from advisor.mlx import configs

# Names of fields whose silent default may give a model of another size, less those that count
# tokens, layers or groups of something and are left out rightly. Whether one does is then tried.
MAY_DECIDE_SIZE = re.compile(
    r"(^|_)(size|width|dim|heads?|layers?|ranks?|experts?|intermediate)($|_)"
)
LEFT_OUT_RIGHTLY = re.compile(r"window|chunk|block|nextn|per_tok|patch|freq|dense|conv")
# Without these a mixture of experts or a latent attention would come out as something else. A
# missing head_dim or num_key_value_heads is none: transformers concludes them likewise.
NONE_IS_A_GUESS = re.compile(r"routed|experts$|expert_hidden|moe_intermediate|^(v|qk)_.*dim")
ANY_NUMBER = 64


def build(config: dict[str, Any]) -> Any:
    """A lazy bf16 model of an adapted config; nothing is evaluated.

    Raises ``InputError`` for a model_type that mlx-lm does not know, for a config it cannot
    build, and for one that leaves a size to mlx-lm's defaults.
    """
    model_type = config["model_type"]
    model_class, args_class = classes(config)

    def construct() -> Any:
        return model_class(args_class.from_dict(copy.deepcopy(config)))

    with reading(f"build a {model_type!r} model from this config"), silence():
        with _defaults({}) as taken:
            model = construct()
        left_out = sorted(set(taken) - set(configs.may_leave_out(model_type)))
        guessed = [name for name in left_out if _decides(name, taken, model, construct)]
        if guessed:
            raise configs.refused(f"does not state {', '.join(guessed)} (mlx-lm would guess)")
        if any(0 in array.shape for array in _arrays(model)):
            raise configs.refused("gives a layer a size of 0")
        _drop_tied_head(model, config)
        _to_bf16(model)
    return model


def quantize(
    model: Any, bits: int | None, group_size: int | None, mode: str, overrides: Mapping[str, Any]
) -> None:
    """Quantize in place as ``mlx_lm.convert`` does, by the model's own predicate; lazily.

    overrides   {module path: settings or False} that go before the predicate
    """
    from mlx_lm.utils import quantize_model

    own = getattr(model, "quant_predicate", None)

    def predicate(path: str, module: Any) -> bool | dict[str, Any]:
        if isinstance(overrides.get(path), dict | bool):
            return overrides[path]
        return own(path, module) if own else True

    asked = f"quantize it in mode {mode!r} with {bits} bits in groups of {group_size}"
    with reading(asked), silence():
        quantize_model(model, {}, group_size, bits, mode=mode, quant_predicate=predicate)


def traced_caches(model: Any) -> list[Any] | None:
    """The layers' caches after a lazy pass of one token; None where it needs a Metal kernel."""
    import mlx.core as mx

    with reading("run one token through this config's model"), silence():
        caches = fresh_caches(model)
        try:
            model(mx.zeros((1, 1), dtype=mx.int32), cache=caches)
        except RuntimeError as error:
            if "metal" in str(error).lower():
                return None
            raise
    return caches


def fresh_caches(model: Any) -> list[Any]:
    """The empty caches mlx-lm would generate with, one a layer."""
    from mlx_lm.models.cache import make_prompt_cache

    return list(make_prompt_cache(model))


def require() -> None:
    """Raises ``InputError`` where mlx-lm cannot be imported."""
    try:
        import mlx_lm.utils  # noqa: F401
    except ImportError as error:
        raise InputError(
            f"mlx-lm cannot be imported here ({error}), and reading a config needs it. "
            "Install it as the README says."
        ) from error


def classes(config: dict[str, Any]) -> tuple[Any, Any]:
    """mlx-lm's model and argument class. Raises ``InputError`` for an unknown model_type."""
    require()
    from mlx_lm.utils import _get_classes

    try:
        return _get_classes(config)
    except (ValueError, TypeError, AttributeError) as error:
        raise InputError(
            f"mlx-lm {version()} knows no model_type {config['model_type']!r}, so its shape "
            "cannot be computed. Check the config, or try a newer mlx-lm."
        ) from error


def version() -> str:
    """The version of mlx-lm that answers."""
    from importlib.metadata import version as installed

    return installed("mlx-lm")


@contextlib.contextmanager
def reading(purpose: str) -> Iterator[None]:
    """Any class may fail in its own way on a foreign config; the user gets one sentence."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        said = " ".join(str(error).split()).rstrip(".")
        raise InputError(
            f"mlx-lm cannot {purpose}: {type(error).__name__}: {said}. "
            "Compare the config with the one the model was published with."
        ) from error


def _decides(
    name: str, taken: Mapping[str, int | None], model: Any, construct: Callable[[], Any]
) -> bool:
    """Whether twice the default, or any number for none, gives a model of another size."""
    default = taken[name]
    try:
        with _defaults({name: 2 * default if default else ANY_NUMBER}):
            return _elements(construct()) != _elements(model)
    except Exception:  # the classes' own complaints about sizes that do not match
        return True


def _elements(model: Any) -> int:
    return sum(math.prod(array.shape) for array in _arrays(model))


def _arrays(model: Any) -> list[Any]:
    from mlx.utils import tree_flatten

    return [array for _, array in tree_flatten(model.parameters())]


@contextlib.contextmanager
def _defaults(instead: Mapping[str, int]) -> Iterator[dict[str, int | None]]:
    """Yields the defaults that mlx-lm's argument classes fill in, replaced by ``instead``.

    The text part of a multimodal config is read deep inside the model, so the reader that all
    argument classes share is watched.
    """
    from mlx_lm.models.base import BaseModelArgs

    taken: dict[str, int | None] = {}
    original = BaseModelArgs.__dict__["from_dict"]

    def watched(cls: Any, params: Any) -> Any:
        defaults: dict[str, Any] = {field.name: field.default for field in dataclasses.fields(cls)}
        for name, default in defaults.items():
            if name not in params and _may_decide(name, default):
                taken[name] = default
        missing = {name: value for name, value in instead.items() if name not in params}
        return original.__func__(cls, {**params, **missing})

    BaseModelArgs.from_dict = classmethod(watched)
    try:
        yield taken
    finally:
        BaseModelArgs.from_dict = original


def _may_decide(name: str, default: Any) -> bool:
    if default is None:
        return NONE_IS_A_GUESS.search(name) is not None
    return (
        isinstance(default, int)
        and not isinstance(default, bool)
        and default > 0
        and MAY_DECIDE_SIZE.search(name) is not None
        and LEFT_OUT_RIGHTLY.search(name) is None
    )


def _drop_tied_head(model: Any, config: dict[str, Any]) -> None:
    """Gemma 3 and 4 create a head that ``sanitize`` drops when a checkpoint ties it."""
    fields = configs.text_fields(config)
    if not str(config["model_type"]).startswith(("gemma3", "gemma4")):
        return
    if fields.get("tie_word_embeddings") is False:
        return
    for _, module in model.named_modules():
        if "lm_head" in module:
            module.pop("lm_head")
            module.tie_word_embeddings = True


def _to_bf16(model: Any) -> None:
    """Floats become bf16 but for what the model's ``cast_predicate`` keeps in float32."""
    import mlx.core as mx
    from mlx.utils import tree_map_with_path

    casts = getattr(model, "cast_predicate", lambda _path: True)

    def cast(path: str, array: Any) -> Any:
        if casts(path) and mx.issubdtype(array.dtype, mx.floating):
            return array.astype(mx.bfloat16)
        return array

    model.update(tree_map_with_path(cast, model.parameters()))


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """mlx-lm prints what it does; stdout belongs to the caller's JSON and CSV."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield
