"""The command line: the same calls as the pages, no Streamlit.

Machine-readable output goes to stdout, messages to stderr. Exit code 0: answered; 2: the
input is wrong, one sentence says what; 1: a fault of ours. Each command imports what it needs
only when it runs, so that ``advisor fit`` starts quickly.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from advisor import __version__
from advisor.errors import AdvisorError, CatalogError


class _Parser(argparse.ArgumentParser):
    """Argparse that answers a mistake with one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}. See `{self.prog} --help`.\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = _parser().parse_args(argv)
    try:
        arguments.run(arguments)
        sys.stdout.flush()
    except AdvisorError as error:
        print(f"advisor: {error}", file=sys.stderr)
        return 1 if isinstance(error, CatalogError) else 2
    except BrokenPipeError:
        # The reader has enough (`advisor fit … | head`); say nothing at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print("advisor: stopped.", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="advisor",
        description="Which language model fits a Mac, how fast it decodes, what an upgrade buys.",
    )
    parser.add_argument("--version", action="version", version=f"advisor {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_predict(commands)
    _add_fit(commands)
    _add_route(commands)
    _add_upgrade(commands)
    _add_open(commands)
    _add_inspect(commands)
    _add_detect(commands)
    _add_calibrate(commands)
    _add_runs(commands)
    _add_validate(commands)
    _add_catalog(commands)
    return parser


def _add_predict(commands: argparse._SubParsersAction[_Parser]) -> None:
    predict = commands.add_parser(
        "predict", help="predict speed and memory for each row of a CSV file"
    )
    predict.add_argument("file", metavar="FILE", help="a CSV file, or - for standard input")
    predict.add_argument(
        "--calibrate",
        metavar="RUNS.csv",
        help="runs measured on that machine (same columns and decode_tok_s), learnt from first",
    )

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.predict import predict_file

        predict_file(arguments.file, sys.stdout, arguments.calibrate)

    predict.set_defaults(run=run)


def _add_fit(commands: argparse._SubParsersAction[_Parser]) -> None:
    fit = commands.add_parser("fit", help="every model and quantization on one machine")
    fit.add_argument(
        "machine", nargs="?", metavar="MACHINE", help="an id, mac-mini-m4-16; this: this Mac"
    )
    fit.add_argument("--chip", help='a chip instead of an id: "M4 Pro"')
    fit.add_argument("--gpu-cores", type=float, help="where the chip has several bins")
    fit.add_argument("--memory-gb", type=float, help="as Apple sells it")
    fit.add_argument("--macos", help="major version, 26 where not given")
    fit.add_argument("--wired-limit-mb", type=float, help="iogpu.wired_limit_mb [MiB]")
    fit.add_argument("--in-use-gb", type=float, help="memory other programs hold [GiB]")
    fit.add_argument("--context", type=int, default=8192, help="tokens, default 8192")
    fit.add_argument("--runtime", help="mlx-lm, llama.cpp, ollama, …; default by format")
    fit.add_argument("--kv-bits", type=int, default=16, choices=(16, 8, 4))
    fit.add_argument("--json", action="store_true", help="all columns, as a JSON array")

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.fit import fit_machine

        fit_machine(arguments, sys.stdout)

    fit.set_defaults(run=run)


def _add_route(commands: argparse._SubParsersAction[_Parser]) -> None:
    route = commands.add_parser("route", help="which model answers what on one machine")
    route.add_argument("machine", metavar="MACHINE", help="an id, mac-mini-m4-16; this: this Mac")
    route.add_argument(
        "--workload", metavar="ID|FILE", help="default personal-agent; TOML, CSV or JSON Lines"
    )
    route.add_argument("--runtime", help="default mlx-lm")
    route.add_argument("--models", type=int, default=3, help="kept in memory, at most; default 3")
    route.add_argument("--swap", action="store_true", help="one slot for models loaded on demand")
    route.add_argument("--keep", action="append", metavar="MODEL", help="must be in the table")
    route.add_argument("--never", action="append", metavar="MODEL", help="must not be in it")
    route.add_argument(
        "--scores", metavar="FILE", help="your own: CSV of scale, model, score (0 to 100)"
    )
    route.add_argument("--json", action="store_true", help="the whole table as a JSON object")
    route.add_argument(
        "--export",
        action="append",
        metavar="TARGET",
        help="llama-swap, litellm, mlx-server, omlx, ollama or all; into the folder of -o",
    )
    route.add_argument("-o", "--output", metavar="DIR", help="where the exports go")

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.route import route_machine

        route_machine(arguments, sys.stdout)

    route.set_defaults(run=run)


def _add_upgrade(commands: argparse._SubParsersAction[_Parser]) -> None:
    upgrade = commands.add_parser("upgrade", help="what another machine would buy, and its cost")
    upgrade.add_argument(
        "machines", nargs="+", metavar="MACHINE",
        help="yours, then up to three others: ids, this, or parts such as m4-pro:48",
    )  # fmt: skip
    upgrade.add_argument(
        "--workload", metavar="ID|FILE", help="default personal-agent; TOML, CSV or JSON Lines"
    )
    upgrade.add_argument("--context", type=int, default=8192, help="tokens, default 8192")
    upgrade.add_argument("--runtime", help="default mlx-lm")
    upgrade.add_argument("--macos", help="major version, 26 where not given")
    upgrade.add_argument("--least", type=float, default=20.0, help="tok/s a pick must reach")
    upgrade.add_argument("--model", help="whose tokens are priced; default llama-3.1-8b")
    upgrade.add_argument("--price", action="append", metavar="MACHINE=N", help="what it costs you")
    upgrade.add_argument("--watts", action="append", metavar="MACHINE=N", help="at work, your own")
    upgrade.add_argument("--idle-watts", action="append", metavar="MACHINE=N")
    upgrade.add_argument("--kwh", type=float, help="price of a kWh")
    upgrade.add_argument("--hosted", metavar="IN/OUT", help="a million tokens, as in 0.02/0.04")
    upgrade.add_argument("--currency", help="default USD; in another one, give your own prices")
    upgrade.add_argument("--life", type=float, default=4.0, help="years it is kept, default 4")
    upgrade.add_argument("--duty", type=float, default=0.1, help="part of all hours at work, 0.1")
    form = upgrade.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything, as a JSON object")
    form.add_argument("--html", metavar="FILE", help="a report that opens anywhere")
    form.add_argument("--markdown", metavar="FILE", help="the same for a wiki or an issue")

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.upgrade import upgrade_machine

        upgrade_machine(arguments, sys.stdout)

    upgrade.set_defaults(run=run)


def _add_open(commands: argparse._SubParsersAction[_Parser]) -> None:
    opened = commands.add_parser("open", help="what a link that somebody sent answers")
    opened.add_argument(
        "link", metavar="LINK|REPORT.json",
        help="a whole link of any host, or what follows its '?'; or a report's JSON",
    )  # fmt: skip
    opened.add_argument("--json", action="store_true", help="the answer as a JSON object")
    opened.add_argument("--no-browser", action="store_true", help="leave the app alone")

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.open import open_sent

        open_sent(arguments, sys.stdout)

    opened.set_defaults(run=run)


def _add_inspect(commands: argparse._SubParsersAction[_Parser]) -> None:
    inspect = commands.add_parser(
        "inspect", help="parameters, bytes and cache of a config, a hub id, a GGUF file or a folder"
    )
    inspect.add_argument("what", metavar="CONFIG.json|HF_ID|FILE.gguf|DIR")
    inspect.add_argument("--quant", help="a quantization such as mlx-4bit or Q4_K_M")
    inspect.add_argument("--context", type=int, default=8192, help="tokens, default 8192")
    inspect.add_argument("--json", action="store_true")

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.inspect import inspect_model

        inspect_model(arguments, sys.stdout)

    inspect.set_defaults(run=run)


def _add_detect(commands: argparse._SubParsersAction[_Parser]) -> None:
    detect = commands.add_parser("detect", help="what this computer is: chip, memory, GPU limit")
    detect.add_argument("--json", action="store_true", help="all facts, as one JSON object")
    detect.add_argument(
        "--record", metavar="FILE|-", help="write what its commands print, without personal data"
    )

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.detect import detect_computer

        detect_computer(arguments, sys.stdout)

    detect.set_defaults(run=run)


def _add_calibrate(commands: argparse._SubParsersAction[_Parser]) -> None:
    calibrate = commands.add_parser(
        "calibrate", help="measure models on this computer, without downloading them"
    )
    calibrate.add_argument(
        "--model", action="append", metavar="ID", help="a catalog model, measured by slices"
    )
    calibrate.add_argument("--quant", action="append", metavar="Q", help="default mlx-4bit")
    calibrate.add_argument(
        "--whole", action="append", metavar="DIR|HF_ID", help="a model on disk, run whole"
    )
    calibrate.add_argument(
        "--gguf", action="append", metavar="FILE", help="a GGUF file, run by llama-bench"
    )
    calibrate.add_argument("--quick", action="store_true", help="six points in a minute")
    calibrate.add_argument("--json", action="store_true", help="the runs, as a JSON array")
    calibrate.add_argument("--store", metavar="PATH|URL", help="as for runs")

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.calibrate import calibrate as calibrate_command

        calibrate_command(arguments, sys.stdout)

    calibrate.set_defaults(run=run)


def _add_runs(commands: argparse._SubParsersAction[_Parser]) -> None:
    runs = commands.add_parser("runs", help="measured runs: list, carry, let count")
    actions = runs.add_subparsers(
        dest="action", required=True, metavar="list|export|import|use|ignore"
    )
    listed = actions.add_parser("list", help="every run, the oldest first")
    listed.add_argument("--json", action="store_true", help="all fields, as a JSON array")
    export = actions.add_parser("export", help="write every run as JSON Lines")
    export.add_argument("file", nargs="?", default="-", metavar="FILE|-")
    brought = actions.add_parser(
        "import",
        help="bring in an export, or what llama-bench -o json, mlx_lm.benchmark or ollama run "
        "--verbose printed; the same run twice is one run",
    )
    brought.add_argument("file", metavar="FILE|-")
    brought.add_argument("--model", default="", help="what was measured, where the text is silent")
    brought.add_argument("--quant", default="", help="such as Q4_K_M or 4bit")
    brought.add_argument("--chip", help='where it was measured: "M4 Pro"; else this computer')
    brought.add_argument("--gpu-cores", type=float)
    brought.add_argument("--memory-gb", type=float)
    brought.add_argument("--macos")
    for name, what in (("use", "let runs count"), ("ignore", "let runs not count")):
        counted = actions.add_parser(name, help=what)
        counted.add_argument("ids", nargs="+", metavar="ID|all", help="the first digits will do")
    for action in actions.choices.values():
        action.add_argument(
            "--store", metavar="PATH|URL",
            help="a file or postgresql://…; else $TOLLBOOTH_RUNS_URL, else the user's data folder",
        )  # fmt: skip

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.runs import runs_command

        runs_command(arguments, sys.stdout)

    runs.set_defaults(run=run)


def _add_validate(commands: argparse._SubParsersAction[_Parser]) -> None:
    validate = commands.add_parser(
        "validate", help="how right the predictions are, on public runs the fit has not seen"
    )
    form = validate.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="every figure")
    form.add_argument("--markdown", action="store_true", help="the README's block")
    validate.add_argument(
        "--refit", action="store_true", help="fit every fold again and compare (minutes)"
    )

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.validate import validate as validate_fit

        validate_fit(arguments, sys.stdout)

    validate.set_defaults(run=run)


def _add_catalog(commands: argparse._SubParsersAction[_Parser]) -> None:
    catalog = commands.add_parser("catalog", help="derive the catalog's tables, or check them")
    actions = catalog.add_subparsers(dest="action", required=True, metavar="build|check")
    build = actions.add_parser(
        "build", help="derive models, weights, runs and the fitted speeds anew"
    )
    build.add_argument("--only", choices=("models", "runs", "speed"), help="one part, not all")
    actions.add_parser("check", help="say what in the catalog is broken or not current")

    def run(arguments: argparse.Namespace) -> None:
        from advisor.cli.catalog import build_catalog, check_catalog

        if arguments.action == "build":
            build_catalog(arguments.only)
        else:
            check_catalog()

    catalog.set_defaults(run=run)
