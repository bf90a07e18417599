# SPDX-License-Identifier: Apache-2.0
"""Drops what clang writes into every module though nothing in it is used, before the module is read.

Debug information describes each `using ::sin;` with the whole function, and C++ headers have hundreds: a module whose
file includes <cmath> would carry 40 kB of it, <iostream> 130 kB, read and written by every later stage. The built-in
variables, whose members are registers, are there too.
"""

from __future__ import annotations

import re

from lanewise.frontend.metadata_nodes import with_nodes_in_order

_IMPORTS = re.compile(r"^(!\d+ = distinct !DICompileUnit\(.*), imports: !\d+", re.MULTILINE)
_BUILT_IN_VARIABLE = re.compile(r"^(@_ZL(?:9threadIdx|8blockIdx|8blockDim|7gridDim)) = .*\n", re.MULTILINE)


def tidied(ir: str) -> str:
    """The module without unused built-in variables and without imported names in its debug information."""
    for match in _BUILT_IN_VARIABLE.finditer(ir):
        if ir.count(match[1]) == 1:
            ir = ir.replace(match[0], "")
    return with_nodes_in_order(_IMPORTS.sub(r"\1", ir))
