# SPDX-License-Identifier: Apache-2.0
"""SPIR-V for OpenCL, translated to LLVM IR in the form that clang gives a program in OpenCL C for nvptx64.

translate.py       the whole translation
words.py           a binary's instructions
opcodes.py         their names
types.py           types
mangling.py        names of OpenCL C's built-in functions, for types
module.py          what a module declares, and names for LLVM IR
declarations.py    its reading: types, decorations, entry points
constants.py       constants, and operations on them
literals.py        numbers, strings and arrays of bytes as LLVM writes them
kernels.py         kernels: signatures, metadata
function.py        a function's body: values, blocks, calls
arithmetic.py      numbers, comparisons, bits
conversions.py     conversions between types
composites.py      vectors, arrays and structures
memory.py          variables, loads, stores, addresses
built_in_values.py which work-item runs
control_flow.py    branches, returns, calls
atomics.py         atomics, barriers and fences
groups.py          operations of work-groups and sub-groups
images.py          images and samplers
extended.py        the instruction set OpenCL.std
"""

from typing import Final

MAGIC: Final = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
"""The first bytes of a module, in both orders of bytes."""


def is_spirv(data: bytes) -> bool:
    """True for what begins as a SPIR-V module does."""
    return data.startswith(MAGIC)
