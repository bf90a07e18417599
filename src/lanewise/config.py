# SPDX-License-Identifier: Apache-2.0
"""What the environment says about a session: the one place that reads it.

| variable               | meaning                                             | default                     |
| ---------------------- | --------------------------------------------------- | --------------------------- |
| `LANEWISE_CACHE_DIR`   | folder of the compile cache                         | `$XDG_CACHE_HOME/lanewise`, |
|                        |                                                     | else `~/.cache/lanewise`    |
| `LANEWISE_CACHE`       | `0` turns the compile cache off                     | on                          |
| `LANEWISE_NUM_THREADS` | threads that run work-groups, the caller's included | the processors that this    |
|                        |                                                     | process may run on          |
| `LANEWISE_DEVICE`      | device of a launch that names none                  | `cpu`                       |
| `LANEWISE_MAPPING`     | `mapping` of a compilation that names none          | `auto`                      |

An empty value counts as unset.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from lanewise.errors import Error

MAX_THREADS = 1024
"""Most threads that a pool may have: the size of the runtime core's table of workers."""


class Config(NamedTuple):
    """The settings of one session; a plain value, handed to whoever needs one of them."""

    cache_dir: Path | None
    """Folder of the compile cache; None where caching is off or no home folder is known."""
    num_threads: int
    """Threads that run work-groups, the calling one included; 1 to `MAX_THREADS`."""
    device: str | None = None
    """Name of the default device; None: what the environment says when it is asked for."""


def from_environment(environ: Mapping[str, str] = os.environ) -> Config:
    """The settings that `environ` asks for. Raises `Error` for a thread count that is no count."""
    return Config(
        cache_dir=_cache_dir(environ),
        num_threads=_num_threads(environ.get("LANEWISE_NUM_THREADS", "")),
    )


def default_device(environ: Mapping[str, str] = os.environ) -> str:
    """Name of the device that the environment asks for. It is read at each launch, since test suites and notebooks
    set it when Lanewise has long been imported."""
    return environ.get("LANEWISE_DEVICE", "").strip() or "cpu"


def default_mapping(environ: Mapping[str, str] = os.environ) -> str:
    """The mapping that the environment asks for, as text. It is read at each compilation, as `default_device` is."""
    return environ.get("LANEWISE_MAPPING", "").strip() or "auto"


def _cache_dir(environ: Mapping[str, str]) -> Path | None:
    if environ.get("LANEWISE_CACHE", "").strip() == "0":
        return None
    if chosen := environ.get("LANEWISE_CACHE_DIR", ""):
        return Path(chosen)
    # The XDG base directory specification: a relative XDG_CACHE_HOME is to be ignored.
    if os.path.isabs(base := environ.get("XDG_CACHE_HOME", "")):
        return Path(base, "lanewise")
    home = environ.get("HOME", "") or os.path.expanduser("~")
    return Path(home, ".cache", "lanewise") if os.path.isabs(home) else None


def _num_threads(text: str) -> int:
    if not text.strip():
        return min(len(os.sched_getaffinity(0)), MAX_THREADS)
    if not text.strip().isdecimal() or not 1 <= int(text) <= MAX_THREADS:
        raise Error(f"LANEWISE_NUM_THREADS must be a whole number from 1 to {MAX_THREADS}, not {text!r}")
    return int(text)
