# SPDX-License-Identifier: Apache-2.0
"""Launches of kernels from device code, which there are none of: clang's errors without its advice to use an option
that would not help, and without the function that such launches would call.

With relocatable device code clang takes a launch in a lambda of host code for one from device code. So the function has
to be declared (`device_launches.h`), and a call of it that is left in the IR is a real one.
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError

_CLANGS: Final = (
    "kernel launch from __device__ or __global__ function requires relocatable device code (i.e. requires -fgpu-rdc)",
    "use of undeclared identifier cudaLaunchDevice",
)
_OURS: Final = "kernels can't be launched from device code"
_TWICE: Final = re.compile(rf"([^\n]*{_OURS}\n(?: [^\n]*\n)*)\1")


_CALL: Final = re.compile(r"call [^\n]*@cudaLaunchDevice\([^\n]*?(?:, !dbg !(\d+))?$", re.MULTILINE)
_PLACE: Final = r"^!{} = (?:distinct )?!DILocation\(line: (\d+), column: (\d+), scope: !(\d+)"
_SCOPE: Final = r"^!{} = (?:distinct )?!DI(?:LexicalBlock|LexicalBlockFile|Subprogram)\(.*?\bfile: !(\d+)"
_FILE: Final = r"^!{} = !DIFile\(filename: \"(.*?)\""


def refused(text: str, name: str) -> None:
    """CompileError if the LLVM IR `text`, made of the source called `name`, launches a kernel."""
    found = _CALL.search(text)
    if found is None:
        return
    place = name
    if found[1] is not None and (at := re.search(_PLACE.format(found[1]), text, re.MULTILINE)):
        place = f"{_file(text, at[3]) or name}:{at[1]}:{at[2]}"
    message = f"{place}: error: {_OURS}"
    raise CompileError(message, (message,))


def _file(text: str, scope: str) -> str | None:
    """The file of a scope of debug information."""
    number = re.search(_SCOPE.format(scope), text, re.MULTILINE)
    file = number and re.search(_FILE.format(number[1]), text, re.MULTILINE)
    return file[1] if file else None


def explained(error: CompileError) -> CompileError:
    """`error` in our words, if it is about such a launch."""
    if not any(text in str(error) for text in _CLANGS):
        return error

    def plain(text: str) -> str:
        for clangs in _CLANGS:
            text = text.replace(clangs, _OURS)
        return text

    message = _TWICE.sub(r"\1", plain(str(error)) + "\n").removesuffix("\n")
    return CompileError(message, tuple(dict.fromkeys(map(plain, error.diagnostics))))
