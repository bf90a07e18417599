# SPDX-License-Identifier: Apache-2.0
"""Which libraries programs are linked with, for this machine and for GPUs."""

from __future__ import annotations

from collections.abc import Callable

from lanewise.cache import Cache


def linker(cache: Cache) -> Callable[[str, bool], str]:
    """The `link` of a `Program`; what it compiles stays in `cache`."""

    def link(text: str, fused: bool) -> str:
        from lanewise.linking import linked  # a warm start links nothing
        from lanewise.mathlib import ON_HOSTS, WITHOUT_FUSED, math_library

        return linked(text, [math_library(cache, fused=fused)], ON_HOSTS if fused else WITHOUT_FUSED)

    return link


def link_for_gpus(text: str, cache: Cache) -> str:
    """Kernel IR with what it calls of the mathematical library, approximate instructions left as they are."""
    from lanewise.linking import linked
    from lanewise.mathlib import ON_GPUS, math_library

    return linked(text, [math_library(cache, fused=True)], ON_GPUS)
