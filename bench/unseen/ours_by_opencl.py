# SPDX-License-Identifier: Apache-2.0
"""Lanewise's OpenCL platform, playing recordings by the calls that other implementations get."""

from __future__ import annotations

import os
import sys
import time
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from bench.cpu import environment

import lanewise
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.opencl.installed import FILE
from lanewise.opencl.library import NAME, platform_library

from .ours import compiled, remarks_of, types_of
from .played import Played
from .recording import Recording

_SETTLES: Final = 3.0
"""Seconds of launches after which code for their local size is there, and one of two mappings chosen. The platform does
not tell."""


class LanewisePlatform:
    """The platform in this process, whose compiler takes a mapping, for the pyopencl of the peers' environment."""

    def __init__(self, mapping: str) -> None:
        self._mapping = mapping
        os.environ |= {"LANEWISE_MAPPING": mapping, "OCL_ICD_VENDORS": str(_folder_for_loaders())}
        sys.path.append(str(environment.site_packages()))
        self._opencl = import_module("bench.unseen.opencl").OpenCl("lanewise")
        self.version = self._opencl.version

    def play(self, recording: Recording) -> Played:
        kernel = compiled(recording, self._mapping)  # for what the compiler says alone
        played = self._opencl.play(recording)
        types, remarks = types_of(kernel, recording), remarks_of(kernel, recording)
        settled = time.monotonic() + _SETTLES
        return played._replace(types=types, remarks=remarks, is_settled=lambda: time.monotonic() >= settled)


def _folder_for_loaders() -> Path:
    """A new folder in the cache with the platform's library, and the file that names it to loaders."""
    cache = from_environment().cache_dir
    folder = Path(mkdtemp(prefix="platform-", dir=cache))
    (folder / NAME).write_bytes(platform_library(Cache(cache), lanewise.__version__))
    (folder / FILE).write_text(f"{folder / NAME}\n")
    return folder
