"""A routing table as configurations that routers and servers run."""
