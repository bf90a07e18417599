# SPDX-License-Identifier: Apache-2.0
"""Thread-local variables of functions on the device, which clang lets pass and a GPU doesn't have."""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_VARIABLE: Final = re.compile(r"^@(\S+) = [^\n]*?\bthread_local\b[^\n]*?(?:, !dbg !(\d+))?$", re.MULTILINE)
_DESCRIBED: Final = (
    r"^!{} = (?:distinct )?!DIGlobalVariable(?:Expression\(var: !(\d+)|\(name: \"(.*?)\".*?, line: (\d+))"
)


def refused(text: str, name: str) -> None:
    """CompileError if the LLVM IR `text`, made of the source called `name`, has such a variable."""
    found = _VARIABLE.search(text)
    if found is None:
        return
    variable, line, number = found[1], "", found[2]
    while number is not None and (match := re.search(_DESCRIBED.format(number), text, re.MULTILINE)):
        number = match[1]
        if number is None:
            variable, line = match[2], f":{match[3]}:1"
    message = f"{name}{line}: error: thread-local storage is not supported in device code: variable '{variable}'"
    raise CompileError(message, (message,))
