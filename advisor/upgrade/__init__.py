"""What another Mac would buy: what newly fits, what changes, what it costs, and whether to."""
