# SPDX-License-Identifier: Apache-2.0
"""LLVM bitcode of OpenCL C for the targets `spir` and `spir64`, as text in the form that clang gives it for nvptx64.

LLVM reads bitcode of any older version. The two targets differ in three things: their names, the calling conventions,
and the numbers of address spaces, which types have, and the mangled names of built-in functions too:

| memory   | spir | nvptx64 |
| -------- | ---- | ------- |
| private  | 0    | 0       |
| global   | 1    | 1       |
| constant | 2    | 4       |
| local    | 3    | 3       |
| generic  | 4    | 0       |

Source: The SPIR Specification 2.0, 2.2 "Address spaces", 3.4 "Calling conventions".
"""

from __future__ import annotations

import re
from typing import Final

from lanewise.errors import CompileError
from lanewise.frontend.opencl.cplusplus import with_smaller_groups

MAGIC: Final = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
"""The first bytes of bitcode, alone and in a wrapper."""

_TRIPLE: Final = re.compile(r'^target triple = "(.*)"$', re.MULTILINE)
_TARGET: Final = re.compile(r"^target (?:datalayout|triple) = .*\n", re.MULTILINE)
_NVPTX: Final = (
    'target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"\n'
    'target triple = "nvptx64-nvidia-cuda"\n'
)
_SPACE: Final = re.compile(r" addrspace\(([24])\)")
_OF_CPLUSPLUS: Final = "\n!opencl.cxx.version = "
_FUNCTION: Final = re.compile(r"\bspir_func ")
_KERNEL: Final = re.compile(r"\bspir_kernel ")
_MANGLED: Final = re.compile(r"@_Z\d+\w+")
_NO_CAST: Final = re.compile(r"addrspacecast (ptr [%@][\w.$]+ to ptr)(?! addrspace)")
_OPAQUE: Final = re.compile(
    r'(?:%opencl\.|target\("spirv\.|!")((?:image\w*|sampler|event|clk_event|pipe)\w*)', re.IGNORECASE
)
"""Types of images, samplers, events and pipes, in code and in what is said of kernels' arguments."""


def is_bitcode(data: bytes) -> bool:
    """True for what begins as LLVM bitcode does."""
    return data.startswith(MAGIC)


def spir_program(data: bytes) -> str:
    """The program in bitcode. CompileError if LLVM can't read it, for other targets, and for images and samplers."""
    from lanewise.child import guarded  # a warm start needs no LLVM
    from lanewise.llvm import LlvmError, text_of_bitcode

    try:
        text = guarded(True, "LLVM bitcode", text_of_bitcode, data)
    except LlvmError as error:
        raise CompileError(f"error: LLVM can't read the bitcode: {error}") from None
    triple = _TRIPLE.search(text)
    target = "" if triple is None else triple[1].partition("-")[0]
    if target == "spir":
        raise CompileError("error: the bitcode is for spir, whose pointers have 32 bits; compile it for spir64")
    if target != "spir64":
        raise CompileError(f"error: the bitcode is for '{target}'; programs are for spir64")
    if opaque := _OPAQUE.search(text):
        raise CompileError(f"error: bitcode with the type {opaque[1]} is not taken, only its source")
    if _OF_CPLUSPLUS in text:
        text = with_smaller_groups(text, ())
    return _for_nvptx(text)


def _for_nvptx(text: str) -> str:
    text = _NVPTX + _TARGET.sub("", text)
    text = _KERNEL.sub("ptx_kernel ", _FUNCTION.sub("", text))
    text = _SPACE.sub(lambda space: " addrspace(4)" if space[1] == "2" else "", text)
    text = _MANGLED.sub(lambda name: name[0].replace("PU3AS4", "P").replace("U3AS2", "U3AS4"), text)
    return _NO_CAST.sub(r"bitcast \1", text)
