# SPDX-License-Identifier: Apache-2.0
"""Checks of the machine: system, Python, processor, threads, GPU driver."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from pathlib import Path
from typing import Final

import lanewise
from lanewise.backend.host.features import features, vector_bytes
from lanewise.cli.doctor.finding import Finding, absent, missing, ok
from lanewise.config import from_environment

_MACHINES: Final = ("x86_64", "aarch64")
"""The machines that the runtime core is compiled for."""


def package() -> Finding:
    """The version of Lanewise, and its folder."""
    folder = Path(lanewise.__file__).parent
    return ok(f"{lanewise.__version__}, in {folder}", version=lanewise.__version__, folder=str(folder))


def system() -> Finding:
    """The operating system and its C library."""
    host = os.uname()
    libc = _libc()
    data = {"system": host.sysname, "release": host.release, "machine": host.machine, "libc": libc}
    text = f"{host.sysname} {host.release} on {host.machine}, {libc or 'no glibc'}"
    if host.machine not in _MACHINES:
        return missing(f"{text}: lanewise runs on {' and '.join(_MACHINES)}", **data)
    if libc is None:
        return missing(f"{text}: the runtime is linked with glibc", **data)
    return ok(text, **data)


def _libc() -> str | None:
    """The version of glibc, such as `glibc 2.36`; None for another C library."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION")
    except (OSError, ValueError):
        return None


def python() -> Finding:
    """The interpreter."""
    version = platform.python_version()
    return ok(f"{version}, {sys.executable}", version=version, executable=sys.executable)


def processor() -> Finding:
    """The processor that machine code is made for, and the width of its vectors."""
    told = dict(part.split(": ", 1) for part in features().split("; ") if ": " in part)
    name = told.get("model name") or told.get("level") or "unknown"
    bits = 8 * vector_bytes()
    return ok(f"{name}, vectors of {bits} bits", model=name, vector_bits=bits)


def threads() -> Finding:
    """The threads that run work-groups, and the processors that this process may use."""
    used, processors = from_environment().num_threads, len(os.sched_getaffinity(0))
    return ok(f"{used}, on {processors} processor{'' if processors == 1 else 's'}", used=used, processors=processors)


def gpu_driver() -> Finding:
    """NVIDIA's driver: the newest version of CUDA that it supports, as its library says."""
    version = ctypes.c_int()
    try:
        status = int(ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version)))
    except (OSError, AttributeError):
        return absent("none; nothing needs it yet")
    if status:
        return absent(f"libcuda.so.1 doesn't tell its version (error {status}); nothing needs it yet")
    cuda = f"{version.value // 1000}.{version.value % 1000 // 10}"
    return ok(f"for CUDA {cuda}; nothing needs it yet", cuda=cuda)
