# SPDX-License-Identifier: Apache-2.0
"""Cases for the Needs of `shuffles/candidates.py`: those that a Need rejects beside those that come close."""

from __future__ import annotations

from typing import Final

from .loops import LOOPS
from .need_1 import NEED_1
from .need_2 import NEED_2
from .need_3 import NEED_3
from .plain import PLAIN

__all__ = ["ALL", "LOOPS", "NEED_1", "NEED_2", "NEED_3", "PLAIN"]

ALL: Final = {
    f"{group}-{name}": case
    for group, cases in {
        "plain": PLAIN, "need_1": NEED_1, "need_2": NEED_2, "need_3": NEED_3, "loops": LOOPS,
    }.items()
    for name, case in cases.items()
}  # fmt: skip
