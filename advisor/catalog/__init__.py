"""Facts with sources, read from ``catalog/``: ``load()`` gives them all."""

from advisor.catalog.load import Catalog, load

__all__ = ["Catalog", "load"]
