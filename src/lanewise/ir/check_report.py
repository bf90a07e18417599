# SPDX-License-Identifier: Apache-2.0
"""The report of checked kernels and the flags of what they tell, as generated code and devices share them.

Each place of a program has a record: how often it failed (8 bytes), and the first few faults as they happened to come.
A fault is the block, the thread, what was wrong (seven numbers of 32 bits, and four bytes unused), and a number of 64
bits. The runtime core has the same in `lanewise_rt.h`.
"""

from typing import Final

KEPT: Final = 4
"""Faults of a place that are kept. All are counted."""
FAULT_BYTES: Final = 40
PLACE_BYTES: Final = 8 + KEPT * FAULT_BYTES

WAITS: Final = 0
"""Flags of `CHECK_MEETING`, as `enum lw_checked_meeting`: a work-item waits at a barrier,"""
JOINS: Final = 1
"""takes part in an operation with a mask, of the kind from bit 16 on,"""
COUNTS: Final = 2
"""says how often it has come to the code behind those of a slot, from bit 8 on,"""
ENDS: Final = 3
"""or ends."""
KINDS: Final = 3
STRICT: Final = 4
"""All work-items are to come to this barrier."""
SLOTS: Final = 64

ELSEWHERE: Final = 1
"""Codes of a fault of a barrier, as `enum lw_meeting_fault`: others wait at another one,"""
PAST: Final = 2
"""have gone past it and ended,"""
RETURNED: Final = 3
"""or have returned."""
LACKS: Final = 4
"""A mask lacks the lane that executes the operation,"""
ABSENT: Final = 5
"""or names lanes that never come."""
