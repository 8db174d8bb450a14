"""What this computer is: its chip and bin, memory, GPU limit, what is in use right now.

``look`` asks a computer through its commands (``system``, or a recording in ``recorded``),
``mac_outputs`` and ``linux_outputs`` read what they print, ``Detected`` is the answer and
``machine`` makes it a machine of the catalog.
"""

from advisor.detect.detected import Detected
from advisor.detect.look import look
from advisor.detect.recorded import this_computer
from advisor.detect.this_mac import THIS, machine

__all__ = ["THIS", "Detected", "look", "machine", "this_computer"]
