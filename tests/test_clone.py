"""A fresh clone has all it needs: exact pins, no package host, nothing outside itself."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

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


def test_every_direct_dependency_is_pinned():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    direct = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[\[>=; ]", line)[0].lower() for line in direct}

    assert names <= {line.split("==")[0] for line in PINS}


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
