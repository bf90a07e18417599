# SPDX-License-Identifier: Apache-2.0
"""A watch over a process that is to say a word now and then, which tells one that hangs from one that has to wait for a
busy machine: the former takes no processor time at all, or much."""

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

_IDLE: Final = 0.005
"""Processor time, by the time that has passed, below which a process waits for something that doesn't come."""
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Watch:
    """Calls `end` once when the process has said nothing for `patience` seconds and was idle, or has taken `patience`
    seconds of a processor since its last word."""

    def __init__(self, process: int, patience: float, end: Callable[[], None]) -> None:
        self._process: Final = process
        self._patience: Final = patience
        self._end: Final = end
        self._news: Final = threading.Event()
        self._stopped = False
        self._thread: Final = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def word(self) -> None:
        """The process has said something."""
        self._news.set()

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped = True
        self._news.set()
        self._thread.join()

    def _look(self) -> None:
        at_word = before = processor_seconds(self._process)
        while not self._stopped:
            has_spoken = self._news.wait(self._patience)
            self._news.clear()
            now = processor_seconds(self._process)
            if has_spoken:
                at_word = now
            elif now - before < _IDLE * self._patience or now - at_word > self._patience:
                self._end()
                return
            before = now


def processor_seconds(process: int) -> float:
    """Seconds of processors that a process and the children that it has waited for have taken; 0 once it is gone."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / _TICKS
