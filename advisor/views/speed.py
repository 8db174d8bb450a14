"""Placeholder until the page lands."""

TITLE, URL = "Speed", "speed"


def render(catalog):
    pass
