# SPDX-License-Identifier: Apache-2.0
"""Lanewise's OpenCL platform, playing recordings by the calls that other implementations get."""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.cpu import environment

import lanewise
from lanewise.cache import Cache
from lanewise.config import from_environment
from lanewise.opencl.installed import FILE
from lanewise.opencl.library import NAME, platform_library

from .ours import code_of, compiled, remarks_of, types_of
from .played import Played
from .recording import Recording


class LanewisePlatform:
    """The platform in this process, whose compiler takes a mapping, for the pyopencl of the peers' environment."""

    def __init__(self, mapping: str) -> None:
        self._mapping = mapping
        cache = from_environment().cache_dir
        if cache is not None:
            cache.mkdir(parents=True, exist_ok=True)
        # In the cache, since a driver that ends this process at once removes that, too.
        self._for_loaders = TemporaryDirectory(prefix="platform-", dir=cache)
        library = _give_to_loaders(Path(self._for_loaders.name))
        self._unsettled_count = ctypes.CDLL(str(library)).lw_unsettled_count
        os.environ |= {"LANEWISE_MAPPING": mapping, "OCL_ICD_VENDORS": self._for_loaders.name}
        sys.path.append(str(environment.site_packages()))
        self._opencl = import_module("bench.unseen.opencl").OpenCl("lanewise")
        self.version = self._opencl.version

    def play(self, recording: Recording) -> Played:
        module = compiled(recording, self._mapping)  # for what the compiler says alone
        kernel = module[recording.kernel]
        gc.collect()  # kernels of recordings that were played before
        before = self._unsettled_count()
        return self._opencl.play(recording)._replace(
            types=types_of(kernel, recording),
            remarks=remarks_of(kernel, recording),
            code=code_of(module, recording),
            is_settled=lambda: self._unsettled_count() <= before,
        )


def _give_to_loaders(folder: Path) -> Path:
    """Write the platform's library, which is returned, and the file that names it to loaders, to a folder."""
    library = folder / NAME
    library.write_bytes(platform_library(Cache(from_environment().cache_dir), lanewise.__version__))
    (folder / FILE).write_text(f"{library}\n")
    return library
