"""``python -m advisor`` is the console script ``advisor``."""

import sys

from advisor.cli import main

sys.exit(main())
