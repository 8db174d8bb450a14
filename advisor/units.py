"""Units said once: decimal GB for files and bandwidth, binary GiB for memory."""

MB = 1_000_000
GB = 1_000_000_000
KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30


def format_gib(size_bytes: float, digits: int = 1) -> str:
    """Bytes as text in GiB, for memory."""
    return f"{size_bytes / GIB:,.{digits}f} GiB"


def format_gb(size_bytes: float, digits: int = 1) -> str:
    """Bytes as text in GB, for files."""
    return f"{size_bytes / GB:,.{digits}f} GB"


def format_tokens(tokens: float) -> str:
    """Tokens as people write them: 512, 8K (8192), 128K (131072), 1M; odd counts in full."""
    count = int(tokens)
    if count >= MIB and count % MIB == 0:
        return f"{count // MIB}M"
    if count >= KIB and count % KIB == 0:
        return f"{count // KIB}K"
    return f"{count:,}"
