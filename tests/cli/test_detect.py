"""What this computer is, as text and JSON, on recorded Macs and on the one the tests run on."""

import json
import sys
from pathlib import Path

import pytest

from advisor.cli import main
from advisor.detect import look
from advisor.detect.recorded import read

RECORDED = Path(__file__).resolve().parents[1] / "recorded"
EVERY = sorted(path.stem for path in RECORDED.glob("*.txt"))


@pytest.fixture
def detect(capsys, monkeypatch):
    def run(name: str, *arguments: str) -> str:
        monkeypatch.setenv("TOLLBOOTH_RECORDED", str(RECORDED / f"{name}.txt"))
        assert main(["detect", *arguments]) == 0
        return capsys.readouterr().out

    return run


def test_json_holds_what_the_mac_says_and_the_catalogs_bin(detect):
    facts = json.loads(detect("m4-pro-48-macos-26", "--json"))

    wanted = {
        "is_mac": True, "chip": "Apple M4 Pro", "chip_id": "m4-pro-16", "gpu_cores": 16,
        "cpu_cores": 12, "memory_gb": 48, "version": "26.2", "in_use_bytes": 451_190 * 16_384,
        "gpu_limit_bytes": 40_200_896_512, "gpu_limit_told_by": "Metal", "wired_limit_mib": None,
        "power_source": "battery", "low_power_mode": True, "mlx_version": "0.32.4",
        "mlx_lm_version": "0.32.2", "problem": "", "missing": [],
    }  # fmt: skip
    assert {name: facts[name] for name in wanted} == wanted


def test_text_says_the_same_to_a_person(detect):
    assert detect("m5-max-128-raised-macos-26").splitlines() == [
        "Computer   a Mac with Apple M5 Max (Mac17,6)",
        "Chip       Apple M5 Max, 40-core GPU, 18 CPU cores (6 super, 12 performance)",
        "Memory     128.0 GiB, 6.9 GiB in use now",
        "System     macOS 26.4",
        "GPU limit  121.6 GiB (Metal), iogpu.wired_limit_mb is set to 124518 MiB",
        "Power      mains, low power mode off",
        "MLX        mlx 0.32.4, mlx-lm 0.32.2, backend metal",
        "Catalog    m5-max-40",
    ]


@pytest.mark.parametrize("name", EVERY)
def test_every_recorded_computer_gets_text_and_json(detect, name):
    assert detect(name).startswith("Computer   a ")
    facts = json.loads(detect(name, "--json"))
    assert bool(facts["chip_id"]) == (facts["problem"] == "")


def test_a_mac_never_seen_is_told_what_to_do(detect):
    text = detect("never-seen-macos-29")

    assert "Chip       Apple M9 Pro, 24-core GPU, 20 CPU cores" in text
    assert "which the catalog does not hold yet: add it as catalog/README.md says." in text


@pytest.mark.skipif(sys.platform != "linux", reason="looks at a Linux computer")
def test_linux_says_what_it_is_and_that_predictions_do_not_come_from_it(capsys):
    assert main(["detect"]) == 0

    out = capsys.readouterr().out
    assert out.startswith("Computer   a computer with ")
    assert out.endswith(
        "predictions for Macs don't come from it. Give an id such as mac-mini-m4-16, "
        "or chip, GPU cores and memory.\n"
    )


def test_a_recording_can_be_made_and_looked_at(detect, tmp_path):
    path = tmp_path / "mac.txt"

    detect("m4-pro-48-macos-26", "--record", str(path))

    assert look(read(path)) == look(read(RECORDED / "m4-pro-48-macos-26.txt"))
    assert detect("m4-pro-48-macos-26", "--record", "-") == path.read_text()


def test_a_recording_that_cannot_be_written_is_said(capsys, tmp_path):
    assert main(["detect", "--record", str(tmp_path / "no" / "mac.txt")]) == 2
    assert "cannot be written: No such file or directory." in capsys.readouterr().err
