# SPDX-License-Identifier: Apache-2.0
"""C++ for OpenCL, versions 1.0 and 2021: the option that asks for it, and what kernels can't have of it.

Source: The C++ for OpenCL Programming Language, version 2021.
"""

import re
from collections.abc import Sequence
from typing import Final

from lanewise.errors import CompileError

_STANDARD: Final = re.compile(r"-cl-std=(?:clc|CLC)\+\+.*")
_UNIFORM_OPTION: Final = "-cl-uniform-work-group-size"
_UNIFORM: Final = '"uniform-work-group-size"'
_STARTS: Final = re.compile(r"^define [^\n]*@__cxx_global_var_init[^\n]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
"""Functions of clang that initialise a variable before anything else runs."""
_GUARD: Final = re.compile(r"^@_ZGV\w+ = ", re.MULTILINE)
"""Variables of clang that tell whether a static variable of a function has been initialised."""
_VARIABLE: Final = re.compile(r"@([\w.$]+) = [^\n]*\bglobal\b")
_USE: Final = re.compile(r"@([\w.$]+)")


def is_cplusplus(words: Sequence[str]) -> bool:
    """True if options ask for C++ for OpenCL. The last one about the language counts."""
    standards = [word for word in words if word.startswith("-cl-std=")]
    return bool(standards) and _STANDARD.fullmatch(standards[-1]) is not None


def with_smaller_groups(ir: str, words: Sequence[str]) -> str:
    """Clang's output, with kernels whose last work-groups may be smaller, unless options refuse that. Clang takes C++
    for OpenCL for a version before 2.0, in which groups are uniform."""
    return ir if _UNIFORM_OPTION in words else ir.replace(f'{_UNIFORM}="true"', f'{_UNIFORM}="false"')


def require_constant_initialisers(ir: str, file: str) -> None:
    """Raise CompileError if a variable of clang's output is initialised by code: nothing runs before kernels do, and
    work-items don't take turns to initialise a static variable."""
    started = [use for body in _STARTS.findall(ir) for use in _USE.findall(body)]
    variables = set(_VARIABLE.findall(ir)) if started else set[str]()
    names = [name for name in started if name in variables]
    if started:
        which = f"variable '{names[0]}'" if names else "a variable"
        raise CompileError(f"{file}: error: {which} is initialised by code: its constructor must be constexpr")
    if _GUARD.search(ir):
        raise CompileError(f"{file}: error: a static variable of a function is initialised by code: make it constant")
