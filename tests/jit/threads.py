# SPDX-License-Identifier: Apache-2.0
"""The functions that kernels in Python call, for Python itself: each work-item is a thread. It judges compiled kernels.

A kernel's module gets a `WorkGroups` under the name `lw`. Work-groups run one after the other. Shuffles and votes are
for flow that is the same in the whole group.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

WARP = 32


class WorkGroups:
    """The functions of `lanewise` that a kernel calls, for a launch of `count` groups of `size` work-items."""

    warp_size = WARP
    i64, f64 = np.int64, np.float64

    def __init__(self, count: int, size: int) -> None:
        self._count, self._size = count, size
        self._place = threading.local()
        self._lock = threading.Lock()
        self._all = threading.Barrier(size)
        self._shared: dict[tuple[int, int], NDArray[Any]] = {}
        self._given: list[Any] = [None] * size
        self._failures: list[BaseException] = []
        self.atomic = self

    def run(self, kernel: Callable[..., None], arguments: Sequence[Any]) -> None:
        """Run all work-items. Raises what the first one of them raised."""
        for group in range(self._count):
            threads = [
                threading.Thread(target=self._run, args=(kernel, arguments, group, item)) for item in range(self._size)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        if self._failures:
            raise self._failures[0]

    def _run(self, kernel: Callable[..., None], arguments: Sequence[Any], group: int, item: int) -> None:
        self._place.group, self._place.item = group, item
        try:
            with np.errstate(all="ignore"):
                kernel(*arguments)
        except threading.BrokenBarrierError:
            pass
        except BaseException as error:
            self._failures.append(error)
            self._all.abort()

    # -- places ------------------------------------------------------------------------------------------------

    def local_id(self) -> int:
        return self._place.item

    def group_id(self) -> int:
        return self._place.group

    def local_size(self) -> int:
        return self._size

    def global_id(self) -> int:
        return self._place.group * self._size + self._place.item

    def lane_id(self) -> int:
        return self._place.item % WARP

    # -- memory ------------------------------------------------------------------------------------------------

    def shared(self, shape: Any, type: Any) -> NDArray[Any]:
        declaration = self._place.group, sys._getframe(1).f_lineno
        with self._lock:
            return self._shared.setdefault(declaration, np.zeros(shape, type))

    def local_array(self, shape: Any, type: Any) -> NDArray[Any]:
        return np.zeros(shape, type)

    def add(self, array: NDArray[Any], index: Any, value: Any) -> None:
        with self._lock:
            array[index] += value

    def max(self, array: NDArray[Any], index: Any, value: Any) -> None:
        with self._lock:
            array[index] = max(array[index], value)

    # -- barriers and warps ------------------------------------------------------------------------------------

    def barrier(self) -> None:
        self._all.wait()

    def barrier_count(self, predicate: Any) -> int:
        return sum(map(bool, self._exchanged(predicate)))

    def _exchanged(self, value: Any) -> list[Any]:
        """The values of all work-items of the group."""
        self._given[self._place.item] = value
        self._all.wait()
        values = list(self._given)
        self._all.wait()
        return values

    def _of_warp(self, value: Any) -> list[Any]:
        first = self._place.item // WARP * WARP
        return self._exchanged(value)[first : first + WARP]

    def shfl_sync(self, mask: int, value: Any, lane: int, width: int = WARP) -> Any:
        return self._of_warp(value)[self.lane_id() // width * width + lane % width]

    def shfl_xor_sync(self, mask: int, value: Any, bits: int) -> Any:
        return self._of_warp(value)[self.lane_id() ^ bits]

    def shfl_up_sync(self, mask: int, value: Any, delta: int, width: int = WARP) -> Any:
        lane, values = self.lane_id(), self._of_warp(value)
        return values[lane - delta] if lane % width >= delta else value

    def shfl_down_sync(self, mask: int, value: Any, delta: int, width: int = WARP) -> Any:
        lane, values = self.lane_id(), self._of_warp(value)
        return values[lane + delta] if lane % width + delta < width else value

    def ballot_sync(self, mask: int, predicate: Any) -> int:
        return sum(1 << lane for lane, each in enumerate(self._of_warp(predicate)) if each)

    def any_sync(self, mask: int, predicate: Any) -> bool:
        return any(self._of_warp(predicate))

    def all_sync(self, mask: int, predicate: Any) -> bool:
        return all(self._of_warp(predicate))
