"""Prints each figure beside its bound; times are medians, ratios compare within this run."""

import sys

from tests.bench import benchmark_pairs, browser, engine, process, slice_check


def main() -> None:
    print("Tollbooth bench: ratios are within this run; other work on the machine adds noise.\n")
    measures = (
        engine.table, engine.grid, process.fit_json, browser.home, slice_check.errors,
        benchmark_pairs.ratios,
    )  # fmt: skip
    for measure in measures:
        for line in measure():
            print(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
