# SPDX-License-Identifier: Apache-2.0
"""The counters of profiles: a variable of the program, and calls that add to it.

    call void @__lw_count_sectors(ptr @__lw_counters, i32 3, i32 16, i64 %address, i32 4)

The first operands are the variable, the number of the counter, and the number of counters from one copy to the next.
Each active lane makes the call, and one number is added for all of them.

    warps             1
    lanes             the active lanes
    divergent         1 if some lanes take a branch (i1) and others don't
    sectors           of 32 bytes that the lanes' addresses (i64) are in, for accesses of so many bytes (i32)
    ideal_sectors     the fewest that hold as many bytes (i32)
    wavefronts        turns of the banks of shared memory that the addresses take
    ideal_wavefronts  those without conflicts
    repeats           atomic operations that wait for another one on the same address

They are functions of a library in C. On the CPU, warps in lock-step have code of their own for them, and the calls are
intrinsics, `__lw_tally_sectors` and so on.
"""

from typing import Final

VARIABLE: Final = "__lw_counters"
"""The name of the variable."""
COPY_BITS: Final = 4
"""The logarithm of the number of its copies. Workers that add to the same cache line wait for each other."""
COUNT: Final = "__lw_count_"
"""The prefix of the library's functions."""
TALLY: Final = "__lw_tally_"
"""The prefix of the intrinsics."""
KINDS: Final = (
    "warps", "lanes", "divergent", "sectors", "ideal_sectors", "wavefronts", "ideal_wavefronts", "repeats",
)  # fmt: skip
