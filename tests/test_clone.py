"""A fresh clone has all it needs: exact pins, no package host, nothing outside itself."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[1]
PINS = (ROOT / "requirements.txt").read_text().splitlines()
# Written apart, so that this file does not name them itself.
HOSTS = re.compile(
    "|".join(("py" + "pi[.]org", "python" + "hosted", "registry[.]np" + "mjs", "deb" + "ian[.]org"))
)
OUTSIDE = re.compile(r"\.\./" + "shared|/" + r"work/|/" + "root/")


def tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name]


def test_every_pin_is_exact_and_names_no_place():
    wrong = [line for line in PINS if not re.match(r"^[a-z0-9._-]+==[^ ]+( ;.*)?$", line)]

    assert wrong == []
    assert not any("://" in line for line in PINS)


def direct() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    return [Requirement(line) for line in lines]


@pytest.mark.parametrize("wanted", direct(), ids=str)
def test_every_direct_dependency_is_pinned_in_its_range(wanted):
    pinned = {pin.name: pin.specifier for pin in map(Requirement, PINS)}

    (exact,) = pinned[wanted.name]

    assert wanted.specifier.contains(exact.version)


def test_no_pin_brings_another_machine_learning_stack():
    """mlx-lm needs only the tokenizers of transformers; torch would be gigabytes."""
    names = {Requirement(pin).name for pin in PINS}

    assert not names & {"torch", "tensorflow", "jax", "triton"}


@pytest.mark.parametrize(("system", "part"), [("linux", "mlx-cpu"), ("darwin", "mlx-metal")])
def test_each_system_gets_its_own_part_of_mlx(system, part):
    (line,) = [line for line in PINS if line.startswith(f"{part}==")]

    assert f"sys_platform == '{system}'" in line


def test_no_tracked_file_names_a_package_host_or_a_path_outside():
    wrong = []
    for path in tracked():
        if path.suffix in {".png", ".csv"} or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        wrong += [str(path) for rule in (HOSTS, OUTSIDE) if rule.search(text)]

    assert wrong == []
