# SPDX-License-Identifier: Apache-2.0
"""The attribute by which a function asks that denormals of single precision count as zeros.

Source: LLVM Language Reference, "denormal-fp-math-f32" in "Function Attributes".
"""

import re
from typing import Final

from lanewise.ir.function import Function
from lanewise.ir.module import Module

_GROUP: Final = re.compile(r"#\d+")
_FLUSHED: Final = '"denormal-fp-math-f32"="preserve-sign'


def asks_to_flush_denormals(module: Module, function: Function) -> bool:
    """True if the attributes of a function from the front end ask for it."""
    groups = (module.attributes.get(name, "") for name in _GROUP.findall(function.suffix))
    return any(_FLUSHED in text for text in (function.suffix, *groups))
