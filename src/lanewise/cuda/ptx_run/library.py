# SPDX-License-Identifier: Apache-2.0
"""The library of `ptx_run`, built by the wheel's clang."""

import os
from pathlib import Path
from typing import Final

from lanewise.errors import Error
from lanewise.log import step
from lanewise.runtime.build import compile_host
from lanewise.toolchain import link_shared_object

NAME: Final = "libgpuocelot.so"
"""The name that programs load it by."""

_SOURCE: Final = Path(__file__).with_name("ptx_run.c")
_EXPORTED: Final = "{ global: ptx_run; local: *; };\n"


def build_ptx_run(path: Path) -> None:
    """Write the library to a file, whole or not at all. Error if it can't be written."""
    with step("build the library of ptx_run"):
        data = link_shared_object([compile_host(_SOURCE)], soname=NAME, exported=_EXPORTED, stays=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(data)
        partial.chmod(0o755)
        os.replace(partial, path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise Error(f"{path}: can't be written: {error.strerror}") from None
