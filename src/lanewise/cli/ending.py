# SPDX-License-Identifier: Apache-2.0
"""The command as a process, which ends at once when it is done.

Python would free each object first and unload LLVM, which takes a tenth of the processor time of `lanewise compile`.
All else that Python does at the end is done: non-daemon threads are waited for, exit handlers run, output is flushed.
"""

from __future__ import annotations

import atexit
import os
import sys
from typing import Final, final


@final
class _Ending:
    """The exit status of the process, once it is known; None: Python ends it as usual."""

    status: int | None = None

    def leave(self) -> None:
        """End the process, if its status is known and all output can be written."""
        if self.status is None:
            return
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:  # pyright: ignore[reportUnnecessaryComparison] : programs without a terminal have none
                    stream.flush()
        except (OSError, ValueError):  # which Python tells
            return
        os._exit(self.status)


def command() -> None:
    """Run the command line, and end the process with its exit status. Errors that are defects end it as usual."""
    ending: Final = _Ending()
    atexit.register(ending.leave)  # the handler that is registered first is called last
    from lanewise.cli import main

    try:
        main()
        ending.status = 0
    except SystemExit as stop:
        if stop.code is None or isinstance(stop.code, int):
            ending.status = (stop.code or 0) & 0xFF
        raise
