# SPDX-License-Identifier: Apache-2.0
"""LLVM's library, loaded by a thread of its own.

The system takes 10 ms to map and relocate it, without Python's lock. So it can be done while Python imports the
modules that a compilation needs first. llvmlite then finds the library in the process.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress

from lanewise.toolchain import package_folder


@contextmanager
def library_loading() -> Generator[None]:
    """Start to load the library, unless llvmlite has done that, and wait for it at the end of the `with` statement:
    nothing that forks afterwards meets a thread inside the loader."""
    if "llvmlite.binding" in sys.modules:
        yield
        return
    thread = threading.Thread(target=_load, name="lanewise-llvm", daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _load() -> None:
    """Load the library if it is where it is expected. llvmlite reports what is wrong with one that isn't."""
    folder = package_folder("llvmlite")
    if folder is not None:
        with suppress(OSError):
            ctypes.CDLL(str(folder / "binding" / "libllvmlite.so"))
