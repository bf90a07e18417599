# SPDX-License-Identifier: Apache-2.0
"""Dates of days: loops over years and months that end at different times, remainders by constants and selects."""

import numpy as np
from bench.cpu.problem import Array, Kernel, Problem


def _dates(days: Array) -> Array:
    dates = days.astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    years = dates.astype("datetime64[Y]").astype(np.int64) + 1970
    return years * 10000 + (months.astype(np.int64) % 12 + 1) * 100 + (dates - months).astype(np.int64) + 1


def _problem(count: int) -> Problem:
    days = np.random.default_rng(22).integers(0, 48000, count, np.int32)
    return Problem(
        arguments=(np.zeros(count, np.int32), days, np.int32(count)),
        global_size=(-count % 64 + count,),
        local_size=(64,),
        results=(0,),
        expected=lambda: (_dates(days),),
    )


KERNEL = Kernel(_problem, size=1 << 17, tiny=100, shown="128K days")
