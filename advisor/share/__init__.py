"""What is passed on: links that open anywhere, reports that need nothing, and reading both."""
