# SPDX-License-Identifier: Apache-2.0
"""The words that LLVM writes before the type of a symbol, by what they say, in their order.

Source: LLVM Language Reference, "Global Variables", "Functions", "Linkage Types", "Visibility Styles".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

LINKAGES: Final = frozenset({
    "private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
    "linkonce_odr", "weak_odr", "external",
})  # fmt: skip
LOCAL_LINKAGES: Final = frozenset({"private", "internal"})
PREEMPTIONS: Final = frozenset({"dso_local", "dso_preemptable"})
VISIBILITIES: Final = frozenset({"default", "hidden", "protected"})
STORAGE_CLASSES: Final = frozenset({"dllimport", "dllexport"})

BEFORE_CONVENTION: Final = LINKAGES | PREEMPTIONS | VISIBILITIES | STORAGE_CLASSES
"""The words before the calling convention of a function; attributes of the result follow it."""

CONVENTIONS: Final = frozenset({
    "ccc", "fastcc", "coldcc", "tailcc", "swiftcc", "preserve_mostcc", "preserve_allcc", "ptx_kernel",
    "ptx_device", "spir_kernel", "spir_func", "amdgpu_kernel",
})  # fmt: skip


def with_linkage(words: Iterable[str], linkage: str) -> tuple[str, ...]:
    """`words` of a symbol with another linkage ("" is external), and no visibility, which local symbols can't have."""
    kept = [word for word in words if word not in LINKAGES and word not in VISIBILITIES | STORAGE_CLASSES]
    return (linkage, *kept) if linkage else tuple(kept)
