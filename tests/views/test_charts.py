"""Charts start at zero, end where memory does, and say in shape what they say in colour."""

import itertools

import altair as alt
import pandas as pd
import pytest

from advisor.views import charts

MODELS, MACHINES = ["Small", "Large"], ["M4 16 GB", "M4 Pro 48 GB"]


def curve(*series: tuple[str, str, float, bool]) -> pd.DataFrame:
    """Two points a line: at 64 and 8192 tokens, decoding at and at half of the given speed."""
    rows = [
        (f"{model}, {machine}", model, machine, tokens, speed, speed * 0.8, speed * 1.25,
         tokens / 100, tokens / 130, tokens / 80, ends and tokens == 8192)
        for model, machine, full, ends in series
        for tokens, speed in ((64, full), (8192, full / 2))
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=[*charts.CURVE, "ends"])


def points(**columns: list) -> pd.DataFrame:
    return pd.DataFrame({name: columns.get(name, []) for name in charts.POINT})


ONE = curve(("Small", "M4 16 GB", 40.0, False), ("Large", "M4 Pro 48 GB", 10.0, True))
RUN = points(
    model=["Small", "Small"], chip=["M4", "M4"], bin=["M4", "M4"], context=["512 tokens"] * 2,
    drawn_tokens=[512.0, 512.0], decode_tok_s=[55.0, None], ttft_s=[None, 3.0],
    confidence=["high", "low"], low_confidence=[False, True], source_url=["", ""],
)  # fmt: skip


def drawn(quantity: str, curve: pd.DataFrame = ONE, runs: pd.DataFrame = RUN) -> dict:
    return charts.over_context(quantity, curve, runs, MODELS, MACHINES, 4096)


def layers(spec: dict, mark: str) -> list[dict]:
    return [layer for layer in spec["layer"] if layer["mark"]["type"] == mark]


@pytest.mark.parametrize("quantity", [charts.DECODE, charts.FIRST_TOKEN])
def test_a_chart_is_valid_vega_lite(quantity):
    spec = dict(drawn(quantity))
    spec["datasets"] = {name: table.to_dict("records") for name, table in spec["datasets"].items()}

    alt.LayerChart.from_dict(spec)


@pytest.mark.parametrize("quantity", [charts.DECODE, charts.FIRST_TOKEN])
def test_every_layer_has_one_y_axis_from_zero_and_a_log_x_axis(quantity):
    spec = drawn(quantity)

    scales = [
        layer["encoding"]["y"]["scale"] for layer in spec["layer"] if "y" in layer["encoding"]
    ]
    assert len(scales) >= 4
    assert {tuple(scale["domain"]) for scale in scales} == {(0, scales[0]["domain"][1])}
    for layer in spec["layer"]:
        assert layer["encoding"]["x"]["scale"]["type"] == "log"
        assert layer["encoding"]["x"]["scale"]["base"] == 2
    titles = {
        layer["encoding"]["y"]["title"] for layer in spec["layer"] if "y" in layer["encoding"]
    }
    assert titles == {charts.TITLES[quantity]}


def test_the_axis_holds_the_whole_band_and_every_public_run():
    top = layers(drawn(charts.DECODE), "line")[0]["encoding"]["y"]["scale"]["domain"][1]

    assert top >= 55.0  # the run; the band of the small model ends at 50
    without = drawn(charts.DECODE, runs=RUN.iloc[:0])
    assert 50.0 <= layers(without, "line")[0]["encoding"]["y"]["scale"]["domain"][1] < 55.0


def test_only_a_line_that_memory_ends_has_an_end_mark():
    ends = drawn(charts.DECODE)["datasets"]["ends"]

    assert list(zip(ends["model"], ends["context_tokens"], strict=True)) == [("Large", 8192)]


def test_each_quantity_has_the_runs_that_state_it():
    assert list(drawn(charts.DECODE)["datasets"]["runs"]["decode_tok_s"]) == [55.0]
    assert list(drawn(charts.FIRST_TOKEN)["datasets"]["runs"]["ttft_s"]) == [3.0]


def test_a_model_keeps_its_colour_and_a_machine_its_dash():
    line = layers(drawn(charts.DECODE), "line")[0]["encoding"]

    assert line["color"]["scale"] == {"domain": MODELS, "range": list(charts.COLOURS[:2])}
    assert line["strokeDash"]["scale"]["domain"] == MACHINES
    assert line["strokeDash"]["scale"]["range"] == [[1, 0], [7, 4]]


def test_every_line_is_named():
    names = drawn(charts.DECODE)["datasets"]["names"]

    assert sorted(names["series"]) == ["Large, M4 Pro 48 GB", "Small, M4 16 GB"]


def test_a_name_stands_above_its_line_or_below_where_another_is_close():
    alone, crowded = charts.spread([30.0], 100.0), charts.spread([80.0, 78.0], 100.0)

    assert alone[0] > 30.0
    assert crowded[0] > 80.0
    assert crowded[1] < 78.0


def test_names_keep_apart_from_each_other_and_inside_the_chart():
    placed = sorted(charts.spread([50.0, 50.0, 51.0, 1.0, 99.0, 100.0], top=100.0))

    steps = [b - a for a, b in itertools.pairwise(placed)]
    assert min(steps) >= charts.NAME_GAP * 100 - 1e-9
    assert 0 < min(placed) < max(placed) < 100.0


def test_a_move_of_the_slider_changes_data_and_builds_nothing():
    first = charts.over_context(charts.DECODE, ONE, RUN, MODELS, MACHINES, 4096)
    second = charts.over_context(charts.DECODE, ONE, RUN, MODELS, MACHINES, 8192)

    assert second["layer"] is first["layer"]
    assert second["datasets"]["chosen"]["context_tokens"].item() == 8192


def test_a_toll_is_stacked_from_zero_with_its_total_in_words():
    parts = pd.DataFrame(
        [("A", "weights", 6.0, 0.0, 6.0), ("A", "cache", 2.0, 6.0, 8.0),
         ("A", "overhead", 0.5, 8.0, 8.5)],
        columns=["series", "part", "ms", "start", "end"],
    )  # fmt: skip

    spec = charts.toll(parts)

    assert list(spec["datasets"]["totals"]["text"]) == ["A: 8.5 ms"]
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domainMin"] == 0
