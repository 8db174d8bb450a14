"""How right the predictions are, measured on public runs and published whole."""
