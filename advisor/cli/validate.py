"""``advisor validate``: the published error of our own predictions, or the same fitted anew."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TextIO

from advisor.catalog import Catalog, load
from advisor.errors import CatalogError
from advisor.estimate import speed_build
from advisor.validation import words
from advisor.validation.report import report


def validate(arguments: argparse.Namespace, out: TextIO) -> None:
    """Print the report; with ``--refit`` fit every fold again first.

    Raises ``CatalogError`` where what is published is not of these data or not of this fit.
    """
    catalog = load()
    for sentence in speed_build.check(catalog):
        raise CatalogError(sentence)
    if arguments.refit:
        _refit(catalog)
    found = report(catalog)
    if arguments.json:
        json.dump(found, out, indent=1)
        out.write("\n")
    elif arguments.markdown:
        out.write(words.markdown(found))
    else:
        print(words.plain(found), file=out)


def _refit(catalog: Catalog) -> None:
    from advisor.estimate.leave_out import WITHOUT
    from advisor.validation import refit

    def say(line: str) -> None:
        print(f"\r\033[K{line}" if sys.stderr.isatty() else line, end="", file=sys.stderr)
        print("" if sys.stderr.isatty() else "\n", end="", file=sys.stderr, flush=True)

    for what in WITHOUT:
        worst = refit.differences(catalog, what, say=say)
        say(f"Without each {what}: refitted, largest difference {worst:.2%}.\n")
        if worst > refit.MARGIN:
            raise CatalogError(
                f"The published predictions without each {what} are up to {worst:.1%} off what "
                "the fit now says. Run `advisor catalog build --only speed`."
            )
