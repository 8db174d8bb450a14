"""Measuring: a few layers of any model, or a whole one, timed on this computer.

A decode step is a sum over layers. So a model is timed without its weights: shorter models of
the same layers, with random weights, tell what a layer of each kind costs and what embedding
and head cost, and the sum is extended to all layers.

``point`` says what to measure, ``design`` which shorter models, ``slices`` and ``whole`` measure,
``child`` is the process they run in, ``runner`` its parent, ``imports`` reads others' figures.
"""
