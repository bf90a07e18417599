# SPDX-License-Identifier: Apache-2.0
"""Keeps LLVM from dividing by estimates of reciprocals and of reciprocal roots, where no infinity is said to occur.

    %q = fdiv fast <16 x float> %a, %b    becomes    %q = fdiv reassoc nnan nsz arcp contract afn <16 x float> %a, %b
    %q = fdiv fast float %a, %root        becomes    %q = fdiv reassoc nnan ninf nsz contract afn float %a, %root

What is wrong
    LLVM refines the estimate by a step of Newton's, y + y * (1 - b * y), which is NaN where b is infinite or 0. A
program that is compiled with `-cl-fast-relaxed-math` promises that there is none of these, but programs for GPUs do
have them: 1 / (1 + exp(-x)) is 0 on a GPU where exp(-x) overflows, and atan(y / x) is right where x is 0.

Method
    LLVM estimates reciprocals of vectors of float only where the flag `ninf` permits it. It estimates reciprocal roots
of float, alone or in vectors, where the flag `arcp` permits it and the divisor is a square root, a product with one, or
either of them converted. All that the other flags permit it does as before, such as the reciprocal of a divisor that
several quotients have.

Costs
    On a Xeon with AVX-512 a loop of nothing but quotients takes 1.6 times as long (0.27 to 0.29 ms, and 0.45 to 0.47);
one of sigmoids as long as before.
"""

import re
from typing import Final

_DIVISION: Final = re.compile(r" = fdiv ((?:[a-z]+ )+)(?=<\d+ x float> )")
_ALL: Final = "reassoc nnan ninf nsz arcp contract afn "
"""The flags that `fast` stands for."""
_STEP: Final = re.compile(
    r"^(?:define |  (%[^ ]+) = (?:(?:tail )?call (?=.*@llvm\.(?:sqrt|fabs)\.)|fmul |fneg |fpext |fptrunc |fdiv )).*$",
    re.MULTILINE,
)
"""The begin of a function, and instructions by which a divisor comes of a square root."""
_VALUE: Final = re.compile(r"%(?:[\w.$-]+|\"[^\"]*\")")


def divide_without_estimates(text: str) -> str | None:
    """The IR with such divisions changed; None if it has none."""
    if " = fdiv " not in text:
        return None
    changed = _DIVISION.sub(_without_promise, text)
    if "@llvm.sqrt." in text:
        changed = _divide_by_roots(changed)
    return changed if changed != text else None


def _without_promise(found: re.Match[str]) -> str:
    flags = _ALL if found[1] == "fast " else found[1]
    return f" = fdiv {flags.replace('ninf ', '')}"


def _divide_by_roots(text: str) -> str:
    """The IR with no reciprocals of what comes of a square root."""
    roots: set[str] = set()

    def step(found: re.Match[str]) -> str:
        line, name = found[0], found[1]
        if name is None:
            roots.clear()  # names are a function's
            return line
        operands = _VALUE.findall(line)[1:]
        if " = fdiv " in line:
            is_by_root = bool(operands) and operands[-1] in roots
            return line.replace(" = fdiv fast ", f" = fdiv {_ALL}").replace(" arcp ", " ", 1) if is_by_root else line
        if "@llvm.sqrt." in line or not roots.isdisjoint(operands):
            roots.add(name)
        return line

    return _STEP.sub(step, text)
