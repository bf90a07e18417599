# SPDX-License-Identifier: Apache-2.0
"""Options that nvcc has and clang calls otherwise.

    -fmad=false           -ffp-contract=off: no multiplication and addition in one rounding
    -use_fast_math        fast forms of sinf and the like; what the next three ask for; -fmad=true
    -ftz=true             denormal floats count as 0
    -prec-div=false       division of floats by the GPU's approximate instructions
    -prec-sqrt=false      square roots likewise; clang has one option for both

Each may begin with two hyphens, and its value may follow as an option of its own. Division stays exact on devices that
have no instructions to do otherwise: the CPU and the reference device. The latter keeps denormals, too.

Source: NVIDIA CUDA Compiler Driver, "Options for Steering GPU Code Generation".
"""

from __future__ import annotations

from typing import Final

from lanewise.errors import CompileError

_APPROXIMATE: Final = ("-fapprox-func",)
_FLUSH: Final = ("-fgpu-flush-denormals-to-zero",)
_VALUED: Final[dict[str, dict[str, tuple[str, ...]]]] = {
    "fmad": {"true": ("-ffp-contract=fast",), "false": ("-ffp-contract=off",)},
    "ftz": {"true": _FLUSH, "false": ("-fno-gpu-flush-denormals-to-zero",)},
    "prec-div": {"true": (), "false": _APPROXIMATE},
    "prec-sqrt": {"true": (), "false": _APPROXIMATE},
}
_FAST_MATH: Final = ("-D__USE_FAST_MATH__", "-ffp-contract=fast", *_FLUSH, *_APPROXIMATE)


def as_clang_takes_them(options: tuple[str, ...]) -> tuple[str, ...]:
    """`options` with nvcc's translated, others as they are. CompileError for a wrong value."""
    translated: list[str] = []
    rest = iter(options)
    for option in rest:
        name, equals, value = option.partition("=")
        plain = name.removeprefix("-").removeprefix("-")
        if option in ("-use_fast_math", "--use_fast_math"):
            translated += _FAST_MATH
        elif not name.startswith("-") or plain not in _VALUED:
            translated.append(option)
        else:
            value = value if equals else next(rest, "")
            if value not in _VALUED[plain]:
                raise CompileError(f"option '{name}': expected {name}=true or {name}=false, not '{value}'")
            translated += _VALUED[plain][value]
    return tuple(translated)
