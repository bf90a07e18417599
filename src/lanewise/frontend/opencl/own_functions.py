# SPDX-License-Identifier: Apache-2.0
"""rename-own-functions: renames a program's functions so that no function of a library has their names.

Why
    A program in OpenCL C may define a `sinf`, which its language doesn't have, while the built-in `sin` calls that of
    our mathematical library. Both would be one symbol.

Before
    define dso_local float @sinf(float %x) {
      %y = call float @_Z3cosf(float %x)
      ret float %y
    }
    declare float @_Z3cosf(float)

After
    define internal float @sinf.own(float %x) {
      %y = call float @_Z3cosf(float %x)
      ret float %y
    }
    declare float @_Z3cosf(float)

Needs
    1. The function is defined here. Declared ones are built in.
    2. It is no kernel: kernels keep their names, since launches use them.
    3. Its name is not mangled, as those of overloaded functions are: no library function has such a name but those of
       the language itself.
    4. It is not the body that clang makes of a kernel, which is never part of a library.
"""

from __future__ import annotations

from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Module
from lanewise.ir.symbol_words import PREEMPTIONS, with_linkage

BODY: Final = "__clang_ocl_kern_imp_"
"""Prefix of the function that clang makes of the body of a kernel."""
_MANGLED: Final = "_Z"
_SUFFIX: Final = ".own"


def run(module: Module) -> bool:
    """Rename all such functions; returns whether there are any."""
    own = [function for function in module.functions if _is_own(function)]
    for function in own:
        function.name = function.symbol + _SUFFIX
        function.linkage = "internal"
        function.prefix = tuple(word for word in with_linkage(function.prefix, "") if word not in PREEMPTIONS)
    if own:
        module.symbols = {str(symbol.name): symbol for symbol in module.symbols.values()}
    return bool(own)


def _is_own(function: Function) -> bool:
    if function.is_declaration:  # 1
        return False
    if function.is_kernel:  # 2
        return False
    if function.symbol.startswith(_MANGLED):  # 3
        return False
    if function.symbol.startswith(BODY):  # 4
        return False
    return not function.symbol.endswith(_SUFFIX)
