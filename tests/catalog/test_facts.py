"""The catalog's own files: each one loads, and figures checked by hand against their source."""

import pytest

from advisor.catalog import load
from advisor.catalog.load import DEFAULT_ROOT

CATALOG = load()
CHIP_IDS, MAC_IDS = CATALOG.chip_ids, CATALOG.mac_ids
RUN_FILES = sorted(path.stem for path in DEFAULT_ROOT.glob("runs/*.csv"))


@pytest.mark.parametrize("chip_id", CHIP_IDS)
def test_every_chip_file_is_sound(chip_id):
    chip = CATALOG.chip(chip_id)

    assert chip.sources
    assert chip.neural_accelerators == (chip.generation >= 5)


@pytest.mark.parametrize("mac_id", MAC_IDS)
def test_every_mac_file_is_sound(mac_id):
    mac = CATALOG.mac(mac_id)

    assert all(CATALOG.machine(f"{mac_id}-{size}").memory_gb == size for size in mac.memory_gb)


@pytest.mark.parametrize("name", RUN_FILES)
def test_every_file_of_runs_is_sound(name):
    runs = CATALOG.printed_runs

    assert (runs["file"] == name).any()


BANDWIDTHS = {  # GB/s as Apple publishes it, through the sources of each file
    "m1-8": 68.25,
    "m2-pro-16": 200,
    "m3-pro-18": 150,
    "m3-max-30": 300,
    "m3-max-40": 400,
    "m3-ultra-80": 819,
    "m4-10": 120,
    "m4-pro-16": 273,
    "m4-max-32": 410,
    "m4-max-40": 546,
    "m5-max-32": 460,
    "m5-max-40": 614,
    "m5-ultra-80": 1200,
    "m6-16gb": 153,
    "m6-24gb": 170,
}


@pytest.mark.parametrize(("chip_id", "gb_per_s"), BANDWIDTHS.items())
def test_bandwidth_is_what_apple_publishes(chip_id, gb_per_s):
    assert CATALOG.chip(chip_id).bandwidth_bytes_per_s == gb_per_s * 1e9


PRICES = {  # machine -> USD by date, from the price lists in the file's sources
    ("mac-mini-m4", 16): {"2024-10": 599, "2026-06-25": 799},
    ("mac-mini-m4-pro", 48): {"2024-10": 1799},
    ("mac-mini-m4-pro-20c", 48): {"2024-10": 1999},
    ("mac-mini-m6", 16): {"2026-08-25": 899},
    ("mac-mini-m5-pro", 48): {"2026-08-25": 2299},
    ("mac-studio-m4-max", 36): {"2025-03": 1999, "2026-06-25": 2499},
    ("mac-studio-m3-ultra", 96): {"2025-03": 3999, "2026-06-25": 5299},
    ("mac-studio-m5-ultra", 512): {},
    ("macbook-air-m5", 16): {"2026-03": 1099, "2026-06-25": 1299},
}


@pytest.mark.parametrize(("machine", "expected"), PRICES.items())
def test_an_old_price_stays_beside_the_new_one(machine, expected):
    mac_id, size = machine
    prices = [price for price in CATALOG.mac(mac_id).prices if price.memory_gb == size]

    assert {price.on: price.usd for price in prices} == expected


def test_the_compared_minis_are_discontinued_and_their_successors_are_not():
    status = {mac_id: CATALOG.mac(mac_id).status for mac_id in MAC_IDS}

    assert status["mac-mini-m4"] == status["mac-mini-m4-pro"] == "discontinued"
    assert status["mac-mini-m6"] == status["mac-mini-m5-pro"] == "current"


def test_idle_and_full_power_are_apples():
    mac = CATALOG.mac("mac-mini-m4-pro")

    assert (mac.idle_w, mac.max_w) == (5, 140)


def test_shader_peak_is_cores_by_lanes_by_clock():
    # 10 cores x 128 lanes x 2 operations x 1.470 GHz, by hand
    assert CATALOG.chip("m4-10").fp16_tflops_computed == pytest.approx(3.7632)
    assert CATALOG.chip("m5-10").fp16_tflops_computed is None  # its clock is not known


BITS = {"Q2_K": 3.209, "Q4_K_M": 4.921, "Q8_0": 8.525, "F16": 16.002}  # notes of gguf_bpw.csv


@pytest.mark.parametrize(("quant_id", "bits"), BITS.items())
def test_gguf_bits_are_measured_over_whole_files(quant_id, bits):
    assert CATALOG.quants[quant_id].bits_per_weight == bits


def test_listed_quantizations_are_the_ones_people_choose_from():
    listed = [quant.id for quant in CATALOG.quants.values() if quant.listed]
    mlx = [quant for quant in listed if CATALOG.quants[quant].format == "mlx"]

    assert mlx == ["mlx-2bit", "mlx-3bit", "mlx-4bit", "mlx-5bit", "mlx-6bit", "mlx-8bit",
                   "mxfp4", "nvfp4", "bf16"]  # fmt: skip
    assert {"Q2_K", "Q4_0", "Q4_K_M", "Q5_K_M", "Q6_K", "Q8_0", "F16"} <= set(listed)
    assert not [quant for quant in listed if quant.startswith(("IQ", "UD-"))]


def test_low_bits_count_as_low_whatever_their_name():
    low = {quant.id for quant in CATALOG.quants.values() if quant.quality_class <= 3}

    assert {"mlx-2bit", "mlx-3bit", "Q2_K", "Q3_K_L", "IQ1_S", "UD-Q3_K_XL"} <= low
    assert not low & {"mlx-4bit", "mxfp4", "Q4_0", "IQ4_XS", "MXFP4_MOE"}


def test_runtimes_are_those_of_the_command_line():
    assert CATALOG.runtime_ids == (
        "llama.cpp", "mlx-lm", "ollama", "lmstudio-mlx", "lmstudio-gguf", "omlx", "other",
    )  # fmt: skip


def test_memory_rules_know_the_versions_macos_had():
    assert CATALOG.memory_rules.macos_versions == (13, 14, 15, 26, 27)
    assert CATALOG.memory_rules.os_reserve_gib == 8


def test_all_public_runs_are_kept_and_the_unsure_marked():
    runs = CATALOG.printed_runs
    lost = runs["source_url"].str.startswith("public file, link not kept")

    assert len(runs) == 2598
    assert lost.sum() == 37
    assert set(runs.loc[lost, "confidence"]) == {"low"}


def test_every_working_set_observation_has_its_limit():
    table = CATALOG.observations("working_set.csv")
    raised = table["raised_limit_mib"].notna()

    assert len(table) == 53
    assert raised.sum() == 4
    assert (table["logged"] > 0).all()
