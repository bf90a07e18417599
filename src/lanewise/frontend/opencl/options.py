# SPDX-License-Identifier: Apache-2.0
"""The options that OpenCL C is compiled with."""

import re
from typing import Final, NamedTuple

from lanewise.errors import CompileError


class OpenClOptions(NamedTuple):
    """Options of a compilation. `options` are those of clBuildProgram, one or several per string. `general`: for any
    global offset, and for global sizes that the local size doesn't divide."""

    defines: tuple[tuple[str, str | None], ...] = ()
    include_dirs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    general: bool = False


class OptionsError(CompileError):
    """The options are wrong, whatever the source."""


_OF_OPTIONS: Final = re.compile(r"(?:fatal )?error: |<command line>:").match
"""Diagnostics that name no place in a source."""


def is_of_options(error: CompileError) -> bool:
    """True if clang's diagnostics are about its options alone."""
    return bool(error.diagnostics) and all(map(_OF_OPTIONS, map(str, error.diagnostics)))
