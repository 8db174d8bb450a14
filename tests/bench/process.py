"""Whole processes: `advisor fit --json` beside `import pandas`."""

import subprocess
import sys
from collections.abc import Iterator

from tests.bench.clock import line, median_s
from tests.browser import ROOT


def run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def fit_json() -> Iterator[str]:
    pandas = median_s(lambda: run("-c", "import pandas"), repeats=7)
    ours = median_s(lambda: run("-m", "advisor", "fit", "mac-mini-m4-16", "--json"), repeats=7)
    bound = 2 * pandas + 0.5
    yield line(
        f"advisor fit --json (import pandas: {pandas:.2f} s)", f"{ours:.2f} s",
        f"<= 2 x + 0.5 s = {bound:.2f} s",
    )  # fmt: skip
