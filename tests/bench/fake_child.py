"""A measuring process that only pretends, so that its ends can be tried in no time.

The model's name says what to do: "sleep" never ends, "crash" dies, "chatter" prints, "fork"
starts a process of its own before it sleeps.
"""

import os
import subprocess
import sys
import time

from advisor.bench import child
from advisor.bench.measurement import Measurement, StepAt
from advisor.errors import InputError


def measure(point, emit):
    emit("stage", stage="build", text="pretending", pid=os.getpid())
    if point.model == "refuse":
        raise InputError("No.")
    if point.model == "bug":
        raise ZeroDivisionError("oops")
    if point.model == "crash":
        print("something terrible", file=sys.stderr)
        os._exit(7)
    if point.model == "chatter":
        print("a library says hello")
        os.system("echo and so does its program")
    if point.model == "fork":
        other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        emit("progress", pid=other.pid)
    if point.model in ("sleep", "fork"):
        time.sleep(600)
    step = StepAt(64, 0.01, 0.009, 0.011, 0.01, 3, (0.01,), (0.01,))
    return Measurement("slice", point.model, point.quant_id, (step,), (), "Pretended.", (), None,
                       0, 1, 1, 1, False, "none", "float32", "mlx-lm", "0", "0")  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(child.main(measure))
