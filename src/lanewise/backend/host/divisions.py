# SPDX-License-Identifier: Apache-2.0
"""Divides by 0 and infinity as GPUs do, where LLVM would estimate reciprocals since no infinity is said to occur.

    %q = fdiv fast <16 x float> %a, %b    becomes    %q = fdiv reassoc nnan nsz arcp contract afn <16 x float> %a, %b

What is wrong
    LLVM refines an estimate y of 1 / b by a step of Newton's, y + y * (1 - b * y), NaN where b is 0 or infinite,
and one of a reciprocal root likewise. A program that is compiled with `-cl-fast-relaxed-math` promises that there is
none of these, but programs for GPUs do have them: 1 / (1 + exp(-x)) is 0 on a GPU where exp(-x) overflows, and
atan(y / x) is right where x is 0.

Method
    LLVM estimates reciprocals of vectors of float, and of half where it computes them in float, only where the flag
`ninf` permits it. It estimates reciprocal roots of float, alone or in vectors, where the flag `arcp` permits it and the
divisor is a square root, a product with one, or either of them converted. So a quotient by the root of x becomes a
product with an estimate that is replaced where x is 0 or infinite; others lose the flag. Without AVX-512 the
processor's estimate takes a denormal for 0, and the step makes -infinity of it: there, such an x is scaled by 2^24,
and the estimate by 2^12. All that the flags permit else LLVM does as before, such as the reciprocal of a divisor that
several quotients have.

Costs
    On a Xeon with AVX-512 a loop of nothing but quotients takes 1.6 times as long (0.27 to 0.29 ms, and 0.45 to 0.47);
one of sigmoids as long as before; one of nothing but reciprocal roots 1.1 times (1.47 and 1.61 ms of a processor; 5.5
without estimates). On a processor without AVX-512, scaling makes that 1.6 times as long as the estimates take alone
(4.0 to 4.2 and 6.6 ms of a processor, of code for x86-64-v3).
"""

import re
from typing import Final

from lanewise.llvm import Machine

_DIVISION: Final = re.compile(r" = fdiv ((?:[a-z]+ )+)(?=<\d+ x (?:float|half|bfloat)> )")
_ALL: Final = "reassoc nnan ninf nsz arcp contract afn "
"""The flags that `fast` stands for."""
_STEP: Final = re.compile(
    r"^(?:define |  (%[^ ]+) = (?:(?:tail )?call (?=.*@llvm\.(?:sqrt|fabs)\.)|fmul |fneg |fpext |fptrunc |fdiv )).*$",
    re.MULTILINE,
)
"""The begin of a function, and instructions by which a divisor comes of a square root."""
_QUOTIENT: Final = re.compile(
    r"  (?P<name>%\S+) = fdiv (?P<flags>(?:(?:reassoc|nnan|ninf|nsz|arcp|contract|afn) )*)"
    r"(?P<type>float|<(?P<lanes>\d+) x float>) (?P<dividend>.+), (?P<root>%[^\s,]+)(?P<rest>(?:, !.*)?)"
)
_ROOT_OF: Final = re.compile(r"@llvm\.sqrt\.(?:v\d+)?f32\((?:float|<\d+ x float>) (%[^\s,)]+)\)")
_VALUE: Final = re.compile(r"%(?:[\w.$-]+|\"[^\"]*\")")


def has_estimates_of_normal_numbers_only(machine: Machine) -> bool:
    """Return whether a processor estimates the reciprocal root of a denormal as that of 0: x86-64's `rsqrtps` does."""
    return machine.architecture == "x86_64" and "+avx512vl" not in machine.features.split(",")


def divide_without_estimates(text: str, *, scales: bool = False) -> str | None:
    """The IR with such divisions changed; None if it has none. `scales`: for processors whose estimates are of normal
    numbers only."""
    if " = fdiv " not in text:
        return None
    changed = _DIVISION.sub(_without_promise, text)
    if "@llvm.sqrt." in text:
        changed = _divide_by_roots(changed, scales=scales)
    return changed if changed != text else None


def _without_promise(found: re.Match[str]) -> str:
    flags = _ALL if found[1] == "fast " else found[1]
    return f" = fdiv {flags.replace('ninf ', '')}"


def _divide_by_roots(text: str, *, scales: bool) -> str:
    """The IR with quotients by what comes of a square root."""
    roots: dict[str, str] = {}

    def step(found: re.Match[str]) -> str:
        line, name = found[0], found[1]
        if name is None:
            roots.clear()  # names are a function's
            return line
        operands = _VALUE.findall(line)[1:]
        if " = fdiv " in line:
            return _by_root(line, roots[operands[-1]], scales) if operands and operands[-1] in roots else line
        if "@llvm.sqrt." in line or not roots.keys().isdisjoint(operands):
            roots[name] = line
        return line

    return _STEP.sub(step, text)


def _by_root(line: str, root: str, scales: bool) -> str:
    """A quotient without an estimate, or by one that is mended, if its divisor is the square root of a float itself."""
    line = line.replace(" = fdiv fast ", f" = fdiv {_ALL}")
    quotient, radicand = _QUOTIENT.fullmatch(line), _ROOT_OF.search(root)
    if quotient is None or radicand is None or not {"arcp", "nsz"} <= set(quotient["flags"].split()):
        return line.replace(" arcp ", " ", 1)
    name, type_, lanes = quotient["name"], quotient["type"], quotient["lanes"]
    truth = f"<{lanes} x i1>" if lanes else "i1"
    numbers = ("1.000000e+00", "0x7FF0000000000000", "0x3810000000000000", "0x4170000000000000", "4.096000e+03")
    one, infinity, normal, up, back = (f"splat (float {n})" if lanes else n for n in numbers)
    new, x = f'%"lw.{name[1:].strip(chr(34))}', radicand[1]
    estimate = f"fdiv reassoc nsz arcp contract afn {type_} {one},"
    estimated = [f'  {new}.estimate" = {estimate} {quotient["root"]}']
    if scales:
        estimated = [
            f'  {new}.tiny" = fcmp olt {type_} {x}, {normal}',
            f'  {new}.up" = fmul {type_} {x}, {up}',
            f'  {new}.scaled" = select {truth} {new}.tiny", {type_} {new}.up", {type_} {x}',
            f'  {new}.root" = call reassoc nsz arcp afn {type_} @llvm.sqrt.{_spelled(lanes)}({type_} {new}.scaled")',
            f'  {new}.near" = {estimate} {new}.root"',
            f'  {new}.back" = fmul {type_} {new}.near", {back}',
            f'  {new}.estimate" = select {truth} {new}.tiny", {type_} {new}.back", {type_} {new}.near"',
        ]
    return "\n".join(
        [
            *estimated,
            f'  {new}.ends" = fcmp oeq {type_} {x}, {infinity}',
            f'  {new}.some" = select {truth} {new}.ends", {type_} zeroinitializer, {type_} {new}.estimate"',
            f'  {new}.begins" = fcmp oeq {type_} {x}, zeroinitializer',
            f'  {new}.all" = select {truth} {new}.begins", {type_} {infinity}, {type_} {new}.some"',
            f'  {name} = fmul reassoc nsz contract {type_} {quotient["dividend"]}, {new}.all"{quotient["rest"]}',
        ]
    )


def _spelled(lanes: str | None) -> str:
    return f"v{lanes}f32" if lanes else "f32"
