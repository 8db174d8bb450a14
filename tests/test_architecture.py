"""Imports point downward, drawing stays in the views, mlx-lm behind one door."""

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FLOORS = {
    "errors": 1, "units": 1, "catalog": 2, "mlx": 2, "bench": 3, "detect": 3, "estimate": 3,
    "runs": 3, "advice": 4, "validation": 4, "routing": 5, "upgrade": 6, "share": 7, "cli": 8,
    "views": 8,
}  # fmt: skip
# The build derives the catalog through mlx: a neighbour, and the one exception.
NEIGHBOURS = {("catalog", "mlx")}
ONLY_IN = {
    "streamlit": ("advisor/views/", "app.py"),
    "altair": ("advisor/views/", "advisor/share/", "app.py"),
    "mlx": ("advisor/mlx/",),
    "mlx_lm": ("advisor/mlx/",),
    "sqlalchemy": ("advisor/runs/",),
    "platformdirs": ("advisor/runs/",),
    "scipy": (
        *(
            f"advisor/estimate/{name}.py"
            for name in (
                "fitting",
                "intervals",
                "options_fitting",
                "prefill_fitting",
                "spread_fitting",
            )
        ),
        "advisor/routing/program.py",
        "advisor/routing/proof.py",
    ),
}
MOST_LINES = 400


def files() -> list[Path]:
    return [ROOT / "app.py", *sorted((ROOT / "advisor").rglob("*.py"))]


def imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def wrong_imports(path: str, source: str) -> list[str]:
    parts = Path(path).with_suffix("").parts
    own = parts[1] if len(parts) > 1 else ""
    wrong = []
    for name in imports(source):
        top = name.split(".")
        if top[0] in ONLY_IN and not path.startswith(ONLY_IN[top[0]]):
            wrong.append(f"{path} imports {name}")
        if top[0] == "advisor" and len(top) > 1 and own in FLOORS and top[1] in FLOORS:
            other = top[1]
            below = FLOORS[other] < FLOORS[own] or other == own or (own, other) in NEIGHBOURS
            if not below:
                wrong.append(f"{path} imports {name}, which is not below it")
    return wrong


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downward(path):
    found = wrong_imports(path.relative_to(ROOT).as_posix(), path.read_text())

    assert found == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("advisor/estimate/plan.py", "import streamlit"),
        ("advisor/catalog/load.py", "from advisor.estimate import plan"),
        ("advisor/views/home.py", "from advisor.cli import main"),
        ("advisor/cli/fit.py", "import mlx_lm.utils"),
    ],
)
def test_the_check_finds_an_import_that_points_up(path, source):
    assert wrong_imports(path, source) != []


def names_at_load(source: str) -> set[str]:
    """What a module imports when it is loaded: not inside functions, not for types alone."""
    kept = [n for n in ast.parse(source).body if isinstance(n, ast.Import | ast.ImportFrom)]
    return set(imports(ast.unparse(ast.Module(kept, []))))


def circle(sources: dict[str, str]) -> list[str]:
    """Modules that load each other in a round, or an empty list.

    A module's own package is loaded before it in any case, so naming it is no round.
    """
    order = graphlib.TopologicalSorter(
        {
            name: {
                other
                for other in names_at_load(text) & sources.keys()
                if not f"{name}.".startswith(f"{other}.")
            }
            for name, text in sources.items()
        }
    )
    try:
        order.prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_no_modules_load_each_other_in_a_round():
    assert circle({module_name(path): path.read_text() for path in files()}) == []


def test_the_check_finds_a_round():
    assert circle({"a.x": "from a import y", "a.y": "import a.x"}) != []
    assert circle({"a.x": "from a import y", "a.y": "def f():\n    import a.x"}) == []


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_has_one_job(path):
    assert len(path.read_text().splitlines()) <= MOST_LINES
