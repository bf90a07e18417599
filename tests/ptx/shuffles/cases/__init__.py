# SPDX-License-Identifier: Apache-2.0
"""Cases for the Needs of `shuffles/candidates.py`: those that a Need rejects beside those that come close."""

from __future__ import annotations

from typing import Final

from .apart import APART
from .loops import LOOPS
from .need_1 import NEED_1
from .need_2 import NEED_2
from .need_3 import NEED_3
from .plain import PLAIN
from .steps import STEPS

__all__ = ["ALL", "APART", "LOOPS", "NEED_1", "NEED_2", "NEED_3", "PLAIN", "STEPS"]

ALL: Final = {
    f"{group}-{name}": case
    for group, cases in {
        "plain": PLAIN, "need_1": NEED_1, "need_2": NEED_2, "need_3": NEED_3, "loops": LOOPS, "apart": APART,
        "steps": STEPS,
    }.items()
    for name, case in cases.items()
}  # fmt: skip
