# SPDX-License-Identifier: Apache-2.0
"""Leaves out the kernels that take a pipe or an image with several samples, which no device has.

Clang compiles such a kernel as if these parameters were pointers. Its metadata names them:

    define ptx_kernel void @k(ptr addrspace(1) %values, ...) ... !kernel_arg_base_type !7 !kernel_arg_type_qual !8
    !7 = !{!"int", !"float*"}
    !8 = !{!"pipe", !""}

The other kernels of the file are kept. Asking for one that is left out is an error with the reason.
"""

import re
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.opencl.own_functions import BODY
from lanewise.ir.debug_info import DebugInfo
from lanewise.ir.function import Function
from lanewise.ir.module import Module

_SUSPECT: Final = re.compile(r'!\{[^\n]*!"(?:image2d_\w*msaa\w*_t|pipe)"').search
_WORD: Final = re.compile(r'!"([^"]*)"').findall
_WITH_SAMPLES: Final = re.compile(r"image2d_\w*msaa\w*_t").fullmatch


class Refusal(NamedTuple):
    """A kernel that is left out: its place, as `file:line`, and the reason."""

    kernel: str
    place: str
    reason: str

    def as_error(self) -> str:
        return f"{self.place}: error: {self.reason}"

    def as_warning(self) -> str:
        return f"{self.place}: warning: {self.reason}; the kernel is left out"


def may_have_refused_kernels(text: str) -> bool:
    """False if the text of a module, as clang prints it, has no such kernel. Few modules need to be read for this."""
    return _SUSPECT(text) is not None


def drop_refused_kernels(module: Module, file: str) -> tuple[Refusal, ...]:
    """Take those kernels out of a module as clang makes it; returns a refusal for each.

    CompileError if no kernel is left. `file` is what the source is called.
    """
    info = DebugInfo(module.metadata)
    refusals: list[Refusal] = []
    kernels = module.kernels
    for kernel in kernels:
        attached = dict(kernel.metadata)
        kinds = ("name", "base_type", "type_qual")
        lists = [_WORD(module.metadata[attached[f"!kernel_arg_{kind}"]]) for kind in kinds]
        for name, type_, qualifiers in zip(*lists, strict=True):
            if (what := _refused(type_, qualifiers)) is not None:
                described = info.node(attached.get("!dbg", ""))
                line = described.number("line") if described is not None else "?"
                reason = f"kernel {kernel.symbol}: parameter '{name}' is {what} of OpenCL C yet"
                refusals.append(Refusal(kernel.symbol, f"{file}:{line}", reason))
                break
    if refusals and len(refusals) == len(kernels):
        errors = tuple(refusal.as_error() for refusal in refusals)
        raise CompileError("\n".join(errors), errors)
    for refusal in refusals:
        _drop(module, refusal.kernel)
        _drop(module, BODY + refusal.kernel)
    return tuple(refusals)


def _refused(type_: str, qualifiers: str) -> str | None:
    """The kind of a parameter that isn't supported; None for all others."""
    if "pipe" in qualifiers.split():
        return "a pipe: Lanewise has no pipes"
    if _WITH_SAMPLES(type_):
        return f"of type {type_}: Lanewise has no images with several samples"
    return None


def _drop(module: Module, symbol: str) -> None:
    function = module.symbols.pop(symbol, None)
    if isinstance(function, Function):
        for instruction in function.instructions():
            instruction.drop_operands()
