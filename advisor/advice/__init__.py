"""Advice computed from the engine's table: picks, comparisons, a first routing rule."""
