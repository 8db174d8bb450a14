"""Which model answers what on one machine: workloads, quality, the optimum, and its exports."""
