# SPDX-License-Identifier: Apache-2.0
"""The options that OpenCL C is compiled with."""

from typing import NamedTuple


class OpenClOptions(NamedTuple):
    """Options of a compilation. `options` are those of clBuildProgram, one or several per string. `general`: for any
    global offset, and for global sizes that the local size doesn't divide."""

    defines: tuple[tuple[str, str | None], ...] = ()
    include_dirs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    general: bool = False
