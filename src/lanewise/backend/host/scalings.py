# SPDX-License-Identifier: Apache-2.0
"""Products with powers of two, which lanes compute by AVX-512's `vscalef` (`workgroup/lanes/values/scaling.py`), for
code that is generated again without AVX-512 (`mask_moves.py`).

    %r = call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(<16 x float> %x, <16 x float> %n, ...)

becomes %x times 2^(%n - m) times 2^m, where m is %n, but an exponent of a normal number. The numbers that lanes scale
are of the size of 1, so that the first product is exact wherever the result isn't 0, and the result rounds once, as
that of `vscalef`.
"""

import re
from itertools import count
from typing import Final, NamedTuple

_CALL: Final = re.compile(
    r"^ *(?P<result>%\S+) = (?:tail )?call (?P<type><(?P<count>\d+) x (?P<of>float|double)>) "
    r"@llvm\.x86\.avx512\.mask\.scalef\.p[sd]\.\d+\((?P=type) (?P<x>.+?), (?P=type) (?P<n>.+?), (?P=type) .+\).*$",
    re.MULTILINE,
)
_DECLARATION: Final = re.compile(r"^declare .*@llvm\.x86\.avx512\.mask\.scalef\..*\n", re.MULTILINE)


class _Format(NamedTuple):
    """Bits, bits of the fraction, least and greatest exponent of normal numbers."""

    bits: int
    fraction: int
    least: int
    greatest: int


_FORMATS: Final = {"float": _Format(32, 23, -126, 127), "double": _Format(64, 52, -1022, 1023)}


def without_scalings(text: str) -> str:
    """The IR without the instruction; as it is if it has none."""
    numbers = count()
    declared: set[str] = set()

    def replaced(found: re.Match[str]) -> str:
        return "\n".join(_product(found, f"%lw.scaling.{next(numbers)}", declared))

    changed = _CALL.sub(replaced, text)
    return text if changed is text or not declared else _DECLARATION.sub("", changed) + "".join(sorted(declared))


def _product(found: re.Match[str], name: str, declared: set[str]) -> list[str]:
    lanes, of, vector = int(found["count"]), found["of"], found["type"]
    form = _FORMATS[of]
    whole, wide = f"<{lanes} x i32>", f"<{lanes} x i{form.bits}>"
    suffix = f"v{lanes}f{form.bits}"
    convert = f"@llvm.fptosi.sat.v{lanes}i32.{suffix}"
    bounds = {each: f"@llvm.{each}.v{lanes}i32" for each in ("smax", "smin")}
    declared.add(f"declare {whole} {convert}({vector})\n")
    declared.update(f"declare {whole} {each}({whole}, {whole})\n" for each in bounds.values())
    lines = [f"  {name}.n = call {whole} {convert}({vector} {found['n']})"]

    def power(of_exponent: str, to: str) -> None:
        """2 to an exponent that is brought to those of normal numbers, which `{to}.e` is then."""
        lines.extend([
            f"  {to}.l = call {whole} {bounds['smax']}({whole} {of_exponent}, {whole} splat (i32 {form.least}))",
            f"  {to}.e = call {whole} {bounds['smin']}({whole} {to}.l, {whole} splat (i32 {form.greatest}))",
            f"  {to}.b = add {whole} {to}.e, splat (i32 {form.greatest})",
        ])  # fmt: skip
        biased = f"{to}.b"
        if form.bits == 64:
            lines.append(f"  {to}.w = zext {whole} {biased} to {wide}")
            biased = f"{to}.w"
        lines.append(f"  {to}.s = shl {wide} {biased}, splat (i{form.bits} {form.fraction})")
        lines.append(f"  {to} = bitcast {wide} {to}.s to {vector}")

    power(f"{name}.n", f"{name}.p")
    lines.append(f"  {name}.r = sub {whole} {name}.n, {name}.p.e")
    power(f"{name}.r", f"{name}.q")
    lines.append(f"  {name}.x = fmul {vector} {found['x']}, {name}.q")
    lines.append(f"  {found['result']} = fmul {vector} {name}.x, {name}.p")
    return lines
