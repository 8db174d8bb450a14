"""The report as text: Markdown for the README, plain lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from advisor.estimate.accuracy import DIMENSIONS, LEAST_RUNS, LEAST_SOURCES

LEAST_CASES = 10  # fewer say nothing of how noisy measuring is
HEAD = ("Runs", "n", "sources", "median error", "90th percentile", "bias", "inside 80 %")


def slice_rows(decode: Mapping[str, Mapping[str, float]]) -> list[tuple[str, ...]]:
    """A row a slice, as text."""
    return [
        (
            name,
            f"{f['runs']:,}",
            f"{f['sources']}",
            f"{f['median_error']:.1%}",
            f"{f['p90_error']:.0%}",
            f"{f['bias']:+.1%}",
            f"{f['coverage']:.0%}",
        )
        for name, f in decode.items()
    ]


def sentences(report: Mapping[str, Any]) -> list[str]:
    """What the table does not say, a sentence each."""
    named, floor, memory = report["named"], report["noise_floor"], report["memory"]
    prompts, after = report["prefill"], report["after_own_runs"]
    return [
        "The naive rule, bandwidth over bytes, is off by a median "
        f"{report['naive']['median_error']:.0%} on the same runs, one fitted constant by "
        f"{report['one_constant']['median_error']:.0%}.",
        f"With the whole chip left out the median is {named['without_chip']:.1%}, with the model "
        f"left out {named['without_model']:.1%}. A typical 80 % interval is × / ÷ "
        f"{named['half_width']:.2f}.",
        _floor(floor),
        f"After three runs of one's own the median is {after['3']['median']:.1%} (before: "
        f"{after['3']['before_median']:.1%}), on models not run {after['3']['new_median']:.1%}; "
        f"after one run {after['1']['median']:.1%} ({after['1']['before_median']:.1%}).",
        f"Prefill: median {prompts['all']['median_error']:.0%} "
        f"({prompts['dense']['median_error']:.0%} dense, "
        f"{prompts['with neural accelerators']['median_error']:.0%} on M5), "
        f"{prompts['all']['coverage']:.0%} inside the interval, {prompts['all']['runs']:,} runs.",
        f"Memory: {memory['runs']} published peaks of MLX, median error "
        f"{memory['median_error']:.1%}, 90th percentile {memory['p90_error']:.1%}, none more than "
        f"{memory['most_below']:.1%} above the estimate (its constants were fitted on the same "
        "peaks).",
        f"Several sequences at once: the time of a step within a median "
        f"{report['batching']['median_error']:.0%} ({report['batching']['series']} series); a "
        f"speculative round within {report['speculation']['median_error']:.0%} "
        f"({report['speculation']['rows']} published rows, most of one tool's author).",
    ]  # fmt: skip


def _floor(floor: Mapping[str, Any]) -> str:
    """How far sources differ, where enough of them measured the same thing."""
    cases = f"{floor['cases']} cases of two sources that measured the same bin, runtime, model"
    if floor["cases"] < LEAST_CASES:
        return f"Only {cases} and quantization are known: too few to state a noise floor."
    return f"In {cases} and quantization they differ by a median {floor['median']:.0%}."


def markdown(report: Mapping[str, Any]) -> str:
    """The README's block: the table of slices and the sentences."""
    lines = [f"| {' | '.join(HEAD)} |", f"|{'---|' * len(HEAD)}"]
    lines += [f"| {' | '.join(row)} |" for row in slice_rows(report["decode"])]
    return "\n".join([*lines, "", *(f"- {said}" for said in sentences(report))]) + "\n"


def plain(report: Mapping[str, Any]) -> str:
    """The whole report for a terminal."""
    fit = report["fit"]
    blocks = [
        f"Fitted on {fit['on']} (data {fit['data']}, catalog {fit['catalog']}). Every run is "
        "predicted by a fit that has not seen any run of its source; error is "
        "|measured / predicted - 1| of tokens per second.",
        _aligned([HEAD, *slice_rows(report["decode"])]),
    ]
    head = (*HEAD, "chip left out", "model left out", "naive rule", "one constant")
    for name, title in DIMENSIONS.items():
        rows = []
        for f in report["by"][name]:
            thin = f["runs"] < LEAST_RUNS or f["sources"] < LEAST_SOURCES
            (row,) = slice_rows({f["slice"] + (" (thin)" if thin else ""): f})
            more = ("without_chip", "without_model", "naive", "one_constant")
            rows.append((*row, *(f"{f[key]:.1%}" for key in more)))
        blocks.append(f"{title}, named runtimes\n" + _aligned([head, *rows]))
    blocks.append("\n".join(sentences(report)))
    return "\n\n".join(blocks)


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
