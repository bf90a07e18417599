# SPDX-License-Identifier: Apache-2.0
"""Options that nvcc has and clang calls otherwise.

    -fmad=false, --fmad false      -ffp-contract=off

Source: NVIDIA CUDA Compiler Driver, "Options for Steering GPU Code Generation".
"""

from __future__ import annotations

from typing import Final

from lanewise.errors import CompileError

_CONTRACTION: Final = {"true": "-ffp-contract=fast", "false": "-ffp-contract=off"}
_FMAD: Final = ("-fmad", "--fmad")


def as_clang_takes_them(options: tuple[str, ...]) -> tuple[str, ...]:
    """`options` with nvcc's translated, others as they are. CompileError for a wrong value."""
    translated: list[str] = []
    rest = iter(options)
    for option in rest:
        name, equals, value = option.partition("=")
        if name not in _FMAD:
            translated.append(option)
            continue
        value = value if equals else next(rest, "")
        if value not in _CONTRACTION:
            raise CompileError(f"option '{name}': expected {name}=true or {name}=false, not '{value}'")
        translated.append(_CONTRACTION[value])
    return tuple(translated)
