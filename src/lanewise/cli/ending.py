# SPDX-License-Identifier: Apache-2.0
"""The command as a process, which ends at once when it is done.

Python would free each object first and unload LLVM, which takes a tenth of the processor time of `lanewise compile`.
Most else that Python and C do at the end is done: non-daemon threads are waited for, exit handlers of Python run, and
output is flushed, that of C's standard streams, too.

Exit handlers of C (`atexit`, destructors of libraries) are not run. Tools that are loaded into the process by a
variable, such as profilers and sanitizers, write their results in them: with one of `config.is_observed`'s variables
the process ends as usual. So it does in a program that runs the command in its own process, such as `pdb -m lanewise`.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading

from lanewise.config import is_observed


def command() -> None:
    """Run the command line, and end the process with its exit status. Called by the console script and by
    `python -m lanewise` alone. Where another program runs these, and after errors that are defects, the exception that
    Python ends with goes on, and nothing else happens."""
    from lanewise.cli import main

    try:
        main()
    except SystemExit as stop:
        if stop.code is not None and not isinstance(stop.code, int):
            raise
        status = (stop.code or 0) & 0xFF
    else:
        status = 0
    if _is_whole_process() and not is_observed():
        _end(status)
    sys.exit(status)


def _is_whole_process() -> bool:
    """True if the caller of `command` is what Python was started with, beneath which is nothing but `runpy` of `-m`."""
    frame = sys._getframe(2).f_back  # pyright: ignore[reportPrivateUsage] (the only way without loading `inspect`)
    while frame is not None and frame.f_globals.get("__name__") == "runpy":
        frame = frame.f_back
    return frame is None


def _end(status: int) -> None:
    """Do what Python does at the end, in its order, and end the process. Returns if output can't be written: Python
    tells that."""
    threading._shutdown()  # pyright: ignore
    atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # pyright: ignore[reportUnnecessaryComparison] : programs without a terminal have none
                stream.flush()
    except (OSError, ValueError):
        return
    ctypes = sys.modules.get("ctypes")  # by which all our C code is loaded
    if ctypes is not None:
        ctypes.CDLL(None).fflush(None)
    os._exit(status)
