# SPDX-License-Identifier: Apache-2.0
"""Terms of the language that a program is written in: CUDA has threads and blocks, OpenCL work-items and work-groups.

Messages are written in OpenCL's terms, which name nothing else, and are put into CUDA's where they leave the public
interface. Words within a file's path stay as they are.
"""

from __future__ import annotations

import re
from typing import Final, TypeVar

from lanewise.errors import Error

E = TypeVar("E", bound=Error)

_TERM: Final = re.compile(r"(?<![\w/.'-])([Ww])ork-(item|group)(s?)(?![\w/'-])(?!\.\w)")
_IN_CUDA: Final = {"witem": "thread", "wgroup": "block", "Witem": "Thread", "Wgroup": "Block"}


def worded(text: str, terms: str) -> str:
    """`text` in the terms of a language: "cuda", or "opencl", which messages are written in."""
    if terms != "cuda":
        return text
    return _TERM.sub(lambda match: _IN_CUDA[match[1] + match[2]] + match[3], text)


def reworded(error: E, terms: str) -> E:
    """The same error with its message in the terms of "cuda" or "opencl"."""
    error.args = (worded(str(error), terms), *error.args[1:])
    return error
