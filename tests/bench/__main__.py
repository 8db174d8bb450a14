"""Prints each figure beside its bound; times are medians, ratios compare within this run."""

import sys

from tests.bench import browser, engine, process


def main() -> None:
    print("Tollbooth bench: ratios are within this run; other work on the machine adds noise.\n")
    for measure in (engine.table, engine.grid, process.fit_json, browser.home):
        for line in measure():
            print(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
