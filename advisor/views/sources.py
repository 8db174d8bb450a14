"""Placeholder until the page lands."""

TITLE, URL = "Sources", "sources"


def render(catalog):
    pass
