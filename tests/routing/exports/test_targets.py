import subprocess

import pytest

from advisor.errors import InputError
from advisor.routing import solve
from advisor.routing.candidates import Wishes
from advisor.routing.exports.setup import Choices, choices_of
from advisor.routing.exports.targets import TARGETS, files, write
from advisor.routing.workload import preset
from advisor.units import GB
from tests.routing.exports import tables

FIRST = {
    "llama-swap": "llama-swap.yaml", "litellm": "litellm.yaml", "mlx-server": "start-all.sh",
    "omlx": "settings.json",
}  # fmt: skip


@pytest.mark.parametrize("target", FIRST)
def test_each_target_has_its_files(catalog, table, target):
    assert FIRST[target] in files(catalog, table, target)


def test_what_ollama_cannot_fetch_is_said(catalog, table):
    with pytest.raises(InputError, match="Ollama has no qwen3-4b in mlx-4bit"):
        files(catalog, table, "ollama")


def test_an_unknown_target_is_a_sentence(catalog, table):
    with pytest.raises(InputError, match=r"No export is called 'llamaswap'.*Nearest: llama-swap"):
        files(catalog, table, "llamaswap")


@pytest.mark.parametrize("target", TARGETS)
def test_no_target_takes_a_table_over_its_budget(catalog, target):
    over = tables.table(catalog, budget_bytes=38 * GB)

    with pytest.raises(InputError, match=r"36.8 GB and their prefix caches 2.0 GB"):
        files(catalog, over, target, Choices())


def test_a_table_that_is_hosted_alone_has_nothing_to_export(catalog):
    hosted = tables.table(catalog, residents=(), routes=(tables.route("agent", ""),))

    with pytest.raises(InputError, match="nothing to export"):
        files(catalog, hosted, "llama-swap")


@pytest.mark.parametrize(
    ("machine", "runtime", "most"),
    [("mac-mini-m4-16", "mlx-lm", 1), ("mac-mini-m4-16", "ollama", 3),
     ("mac-mini-m4-pro-48", "llama.cpp", 3)],
)  # fmt: skip
def test_what_the_solver_finds_passes_every_check(catalog, machine, runtime, most):
    workload = preset(catalog, "personal-agent")
    wishes = Wishes(most_residents=most, swap=True)
    table = solve.table(
        catalog, catalog.machine(machine), workload, runtime=runtime, wishes=wishes, robust=False
    )

    for target in ("llama-swap", "litellm", "mlx-server"):
        assert files(catalog, table, target, choices_of(workload))
    if runtime != "mlx-lm":
        assert files(catalog, table, "ollama", choices_of(workload))


def test_files_are_written_and_scripts_may_be_run(catalog, table, tmp_path):
    paths = write(files(catalog, table, "litellm"), tmp_path / "a" / "b")

    assert (tmp_path / "a/b/tollbooth_rules/advisor/routing/signs.py") in paths
    assert (tmp_path / "a/b/start-litellm.sh").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", tmp_path / "a/b/start-litellm.sh"], check=True)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(InputError, match="cannot be written"):
        write({"x": ""}, tmp_path / "file")
