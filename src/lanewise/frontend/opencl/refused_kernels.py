# SPDX-License-Identifier: Apache-2.0
"""Leaves out the kernels that take an image, a sampler or a pipe, which no device has yet.

Clang compiles such a kernel as if these parameters were pointers. Its metadata tells them apart:

    define ptx_kernel void @k(ptr addrspace(1) %picture, ...) ... !kernel_arg_base_type !7 !kernel_arg_type_qual !8
    !7 = !{!"image2d_t", !"float*"}

The other kernels of the file are kept, and whoever asks for one that isn't is told why.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from lanewise.errors import CompileError

_SUSPECT: Final = re.compile(r'!\{[^\n]*!"(?:image\d?\w*_t|sampler_t|pipe)"')
_NAME: Final = r'(?:"[^"\n]*"|[\w.$-]+)'
_KERNEL: Final = re.compile(
    rf"^define [^\n@]*\bptx_kernel void @({_NAME})\([^\n]* !dbg (!\d+) ([^\n]*)\{{$", re.MULTILINE
)
_NODE: Final = re.compile(r"^(!\d+) = !\{(.*)\}$", re.MULTILINE)
_TEXT: Final = re.compile(r'!"([^"]*)"')
_IMAGE: Final = re.compile(r"image\d?\w*_t").fullmatch


class Refusal(NamedTuple):
    """A kernel that is left out: where it is, as `file:line`, and the reason."""

    kernel: str
    place: str
    reason: str

    def as_error(self) -> str:
        return f"{self.place}: error: {self.reason}"

    def as_warning(self) -> str:
        return f"{self.place}: warning: {self.reason}; the kernel is left out"


def without_refused_kernels(text: str, file: str) -> tuple[str, tuple[Refusal, ...]]:
    """The text of a module, as clang prints it, without those kernels, and a refusal for each.

    CompileError if no kernel is left. `file` is what the source is called.
    """
    if not _SUSPECT.search(text):
        return text, ()
    nodes = dict(_NODE.findall(text))
    refused: list[Refusal] = []
    kernels = list(_KERNEL.finditer(text))
    for kernel in kernels:
        lists = {name: _TEXT.findall(nodes[node]) for name, node in re.findall(r"!kernel_arg_(\w+) (!\d+)", kernel[3])}
        for name, type_, qualifiers in zip(lists["name"], lists["base_type"], lists["type_qual"], strict=True):
            if (what := _refused(type_, qualifiers)) is not None:
                reason = f"kernel {kernel[1]}: parameter '{name}' is {what} of OpenCL C yet"
                refused.append(Refusal(kernel[1], f"{file}:{_line(text, kernel[2])}", reason))
                break
    if refused and len(refused) == len(kernels):
        errors = tuple(refusal.as_error() for refusal in refused)
        raise CompileError("\n".join(errors), errors)
    for refusal in refused:
        text = _without_function(_without_function(text, refusal.kernel), f"__clang_ocl_kern_imp_{refusal.kernel}")
    return text, tuple(refused)


def _refused(type_: str, qualifiers: str) -> str | None:
    """The kind of a parameter that isn't supported; None for all others."""
    if "pipe" in qualifiers.split():
        return "a pipe: Lanewise has no pipes"
    if _IMAGE(type_) or type_ == "sampler_t":
        return f"of type {type_}: Lanewise has no images"
    return None


def _line(text: str, node: str) -> str:
    """The line of the function that the debug information `node` describes."""
    found = re.search(rf"^{node} = [^\n]*\bline: (\d+)", text, re.MULTILINE)
    return found[1] if found is not None else "?"


def _without_function(text: str, name: str) -> str:
    start = re.search(rf'^define [^\n@]*@"?{re.escape(name)}"?\(', text, re.MULTILINE)
    if start is None:
        return text
    return text[: start.start()] + text[text.index("\n}\n", start.end()) + 3 :]
