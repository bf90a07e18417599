# SPDX-License-Identifier: Apache-2.0
"""A toy front end. Its sources are Python values: polynomials, each of which becomes a kernel that evaluates it.

    Polynomial("p", (1.0, 0.0, 2.0))      __global__ void p(float *y, const float *x): y[i] = 1 + 2 * x[i] * x[i]

The kernel IR has no debug information: the front end says itself what the parameters are.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.frontend.signature import Parameter, Signature
from lanewise.frontend.source import Source
from lanewise.frontend.table import FrontEnd
from lanewise.frontend.unit import KernelModule

ROW: Final = FrontEnd("polynomial", "polynomials", "tests.frontend.polynomials:polynomial_unit", takes_text=False)

_KERNEL: Final = """\
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @{name}(ptr %y, ptr %x) {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %from = getelementptr float, ptr %x, i32 %i
  %to = getelementptr float, ptr %y, i32 %i
  %v = load float, ptr %from
{steps}  store float %s{last}, ptr %to
  ret void
}}
"""

_PARAMETERS: Final = (
    Parameter("y", "float *", "pointer", 8, 0, "<f4", const=False, align=4),
    Parameter("x", "const float *", "pointer", 8, 8, "<f4", const=True, align=4),
)


class Polynomial(NamedTuple):
    """Coefficients, the constant one first."""

    name: str
    coefficients: tuple[float, ...]


class PolynomialUnit(NamedTuple):
    """See `lanewise.frontend.unit.Unit`."""

    source: Polynomial
    arch: str

    @property
    def name(self) -> str:
        return f"polynomial {self.source.name}"

    @property
    def digest(self) -> str:
        return key("polynomial", repr(self))

    @property
    def terms(self) -> str:
        return "cuda"

    @property
    def is_foreign(self) -> bool:
        return False

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> KernelModule:
        name = self.source.name
        signature = Signature(name, _PARAMETERS)
        info = ProgramInfo((KernelInfo(name, f"{name}(float*, float const*)", signature, 0),), (), {}, ())
        return KernelModule(_kernel(self.source), info)

    def for_arch(self, arch: str) -> PolynomialUnit:
        return self

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> None:
        return None

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        return ""


def polynomial_unit(source: object, given: GivenOptions) -> PolynomialUnit:
    """The unit of a polynomial."""
    if not isinstance(source, Polynomial):
        raise Error(f"a polynomial is expected, not {source!r}")
    if given.options or given.defines or given.include_dirs:
        raise Error("polynomials have no options")
    return PolynomialUnit(source, given.arch or DEFAULT_ARCH)


def _kernel(polynomial: Polynomial) -> str:
    """Kernel IR by Horner's rule."""
    lines: list[str] = []
    steps = list(reversed(polynomial.coefficients))
    lines.append(f"  %s0 = fadd float {_constant(steps[0])}, {_constant(0.0)}\n")
    for index, coefficient in enumerate(steps[1:], start=1):
        lines.append(f"  %p{index} = fmul float %s{index - 1}, %v\n")
        lines.append(f"  %s{index} = fadd float %p{index}, {_constant(coefficient)}\n")
    return _KERNEL.format(name=polynomial.name, steps="".join(lines), last=len(steps) - 1)


def _constant(number: float) -> str:
    """A float as LLVM writes it: the bits of the same double."""
    (single,) = struct.unpack("<f", struct.pack("<f", number))
    return f"0x{struct.pack('>d', single).hex().upper()}"
