"""Runs that were measured, kept: each with its machine, versions, settings, samples and spread.

``run`` is what one says and how it is named, ``store`` keeps them (``schema`` its tables,
``place`` where it is), ``jsonl`` carries them, ``matching`` finds their models.
"""

from advisor.runs.run import Run, RunMachine, new
from advisor.runs.store import Store, open_store

__all__ = ["Run", "RunMachine", "Store", "new", "open_store"]
