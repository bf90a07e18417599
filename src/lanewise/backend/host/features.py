# SPDX-License-Identifier: Apache-2.0
"""The processor, found out without loading LLVM: for keys of the cache, and for machine code that moves."""

from __future__ import annotations

import functools
import os

from lanewise.config import CPU_LEVELS, cpu_level
from lanewise.errors import Error

_TELLING = (
    # x86-64
    "vendor_id",
    "cpu family",
    "model",
    "model name",
    "stepping",
    "flags",
    # aarch64
    "CPU implementer",
    "CPU architecture",
    "CPU variant",
    "CPU part",
    "CPU revision",
    "Features",
)


# Extensions of x86-64 that LLVM uses by itself where the processor has them, as Linux calls them.
_EXTENSIONS_X86 = frozenset({
    "cx8", "cmov", "sse", "sse2", "pni", "ssse3", "sse4_1", "sse4_2", "sse4a", "popcnt", "cx16", "lahf_lm", "movbe",
    "aes", "pclmulqdq", "abm", "bmi1", "bmi2", "adx", "tbm", "avx", "f16c", "fma", "fma4", "xop", "avx2", "sha_ni",
    "gfni", "vaes", "vpclmulqdq", "avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512vl", "avx512ifma",
    "avx512vbmi", "avx512_vbmi2", "avx512_vnni", "avx512_bitalg", "avx512_vpopcntdq", "avx512_bf16", "avx512_fp16",
    "avx512_vp2intersect", "avx_vnni", "avx_vnni_int8", "avx_vnni_int16", "avx_ifma", "avx_ne_convert", "avx10",
    "avx10_1", "avx10_2", "apx", "sha512", "sm3", "sm4",
})  # fmt: skip

_ALL_X86 = frozenset({"cx8", "cmov", "sse", "sse2"})
"""Extensions that every x86-64 processor has."""


@functools.cache
def features() -> str:
    """Architecture, processor and instruction sets as one line; equal lines, equal code.

    It is what Linux reports of the first processor, which covers all that LLVM derives its host target from, or the
    level that `LANEWISE_CPU` names. Raises `Error` for a level that the processor does not have.
    """
    found = _told()
    if level := cpu_level():
        missing = sorted(CPU_LEVELS[level].difference(found.get("flags", "").split()))
        if missing:
            raise Error(f"LANEWISE_CPU={level}: this processor has no {', '.join(missing)}")
        return f"{architecture()}; level: {level}"
    return "; ".join([architecture(), *(f"{name}: {found[name]}" for name in _TELLING if name in found)])


def architecture() -> str:
    """This machine's architecture: `x86_64`, `aarch64`."""
    return os.uname().machine


@functools.cache
def instruction_sets() -> frozenset[str]:
    """The extensions of the architecture that this processor has and machine code made here may use, as Linux calls
    them."""
    found = _told()
    flags = frozenset(found.get("flags", found.get("Features", "")).split())
    if level := cpu_level():
        return flags & (CPU_LEVELS[level] | _ALL_X86)
    return flags & _EXTENSIONS_X86 if architecture() == "x86_64" else flags


def vector_bytes() -> int:
    """Size of the vectors that kernels are mapped to, in bytes, from the extensions of the processor."""
    sets = instruction_sets()
    return 64 if {"avx512f", "avx512vl"} <= sets else 32 if "avx2" in sets else 16


def has_fused_multiply_add() -> bool:
    """True if the processor has an instruction that multiplies and adds in one rounding; a call is 50 times slower."""
    return architecture() != "x86_64" or bool(instruction_sets() & {"fma", "fma4"})


@functools.cache
def _told() -> dict[str, str]:
    """Linux's description of the first processor."""
    # One read: the kernel makes up the text processor by processor, slowly on large machines.
    descriptor = os.open("/proc/cpuinfo", os.O_RDONLY | os.O_CLOEXEC)
    try:
        first = os.read(descriptor, 1 << 16).decode(errors="replace").split("\n\n", 1)[0]
    finally:
        os.close(descriptor)
    told = dict(line.split(":", 1) for line in first.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in told.items()}
