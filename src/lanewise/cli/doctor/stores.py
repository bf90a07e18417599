# SPDX-License-Identifier: Apache-2.0
"""Checks of what is built and kept: the compile cache, precompiled headers, the runtime."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import lanewise
from lanewise.cache import Cache
from lanewise.cli.doctor.finding import Finding, absent, ok
from lanewise.cli.sizes import counted, size
from lanewise.config import from_environment
from lanewise.frontend.clang import kept_forms


def cache() -> Finding:
    """The folder of the compile cache, its size, and whether it can be written."""
    folder = from_environment().cache_dir
    if folder is None:
        return absent("off, so that everything is compiled anew: LANEWISE_CACHE=0, or no home folder")
    opened, refused = _opened(folder)
    if opened.base is None:
        return absent(f"{refused}; everything is compiled anew", folder=str(folder), writable=False)
    entries, bytes_, _ = opened.info()
    writable = _is_writable(folder)
    data = {"folder": str(folder), "entries": entries, "bytes": bytes_, "writable": writable}
    text = f"{folder}: {counted(entries)}, {size(bytes_)}"
    if not writable:
        return absent(f"{text}; it can't be written, so that what it lacks is compiled anew", **data)
    return ok(text, **data)


def headers() -> Finding:
    """CUDA's headers in clang's precompiled form."""
    forms = kept_forms(_opened(from_environment().cache_dir)[0])
    if not forms:
        return absent("none yet; built when a second CUDA program is compiled, if there is a cache", forms=0, bytes=0)
    bytes_ = sum(forms)
    return ok(f"{len(forms)}, {size(bytes_)}", forms=len(forms), bytes=bytes_)


def runtime() -> Finding:
    """The runtime's core, a C library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        built = lanewise.device("cpu").is_built
    return ok("built", built=True) if built else absent("not yet; the first launch builds it", built=False)


def _opened(folder: Path | None) -> tuple[Cache, str]:
    """The cache in `folder`, and the warning if it is not used."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = Cache(folder)
    return found, "; ".join(str(warning.message) for warning in told)


def _is_writable(folder: Path) -> bool:
    """True if files can be made in `folder`, or if the nearest existing folder above it can be written."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
