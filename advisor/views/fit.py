"""Placeholder until the page lands."""

TITLE, URL = "Fit", "fit"


def render(catalog):
    pass
