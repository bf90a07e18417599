# SPDX-License-Identifier: Apache-2.0
"""Facts of a kernel that launches need: its parameters, its name, the limits of its blocks.

Source: PTX ISA 9.0, 7.1.1 "Kernel Function Parameters", 11.4 "Performance-Tuning Directives"; Itanium C++ ABI, 5.1.2
"General Structure" of mangled names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import prod
from typing import Final

from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.frontend.kernel_names import KernelName
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.signatures import element_of, is_array, type_of
from lanewise.ir import types as ty
from lanewise.ir.function import KERNEL_CONVENTION, Function
from lanewise.ir.layout import align_of
from lanewise.ir.module import Module
from lanewise.ir.values import Argument
from lanewise.ptx.language import module as ptx
from lanewise.ptx.language.statements import Declaration

_CLUSTER: Final = ".reqnctapercluster"
_DIRECTIVES: Final = {".maxntid": "nvvm.maxntid", ".reqntid": "nvvm.reqntid", _CLUSTER: "nvvm.cluster_dim"}
_PLAIN_NAME: Final = re.compile(r"_Z(?P<nested>N)?(?=\d)")


def declare(kernel: ptx.Function, module: Module) -> Function:
    """Add a kernel, without its body, to a module. RefusedError for one whose clusters have several blocks."""
    cluster = kernel.directive(_CLUSTER) or (1,)
    if prod(cluster) > 1:
        size = ", ".join(map(str, cluster))
        raise RefusedError(f"{_CLUSTER} {size}: clusters of several blocks are not supported", kernel.start)
    arguments = [_argument(each) for each in kernel.parameters]
    type_ = ty.function(ty.VOID, tuple(argument.type for argument in arguments))
    made = Function(kernel.name, type_, arguments, convention=KERNEL_CONVENTION, suffix=_attributes(kernel))
    module.add(made)
    return made


def described(info: ProgramInfo, kernels: Iterable[ptx.Function]) -> ProgramInfo:
    """A description with the types that PTX has: integers are bits, and pointers are spelled as declared."""
    declared = {kernel.name: kernel.parameters for kernel in kernels}
    return info._replace(
        kernels=tuple(_with_types(kernel, declared[kernel.signature.symbol]) for kernel in info.kernels)
    )


def _with_types(kernel: KernelInfo, declared: tuple[Declaration, ...]) -> KernelInfo:
    parameters = [
        parameter._replace(
            kind="bits" if parameter.kind == "int" else parameter.kind,
            layout="" if parameter.kind == "int" else parameter.layout,
            ctype=_spelled(declaration),
        )
        for parameter, declaration in zip(kernel.signature.parameters, declared, strict=True)
    ]
    return kernel._replace(signature=kernel.signature._replace(parameters=tuple(parameters)))


def _spelled(declaration: Declaration) -> str:
    """`.u64`, `.b8[16]`"""
    counts = "".join(f"[{count}]" for count in declaration.declarators[0].dimensions)
    return f".{declaration.type}{counts}"


def name_of(kernel: Function) -> KernelName:
    """The kernel's name in the program: `ns::scale` of `_ZN2ns5scaleEPf`. Names of templates stay as they are."""
    plain = plain_name(kernel.symbol)
    return KernelName(kernel.symbol, plain, plain)


def plain_name(symbol: str) -> str:
    """The name in the program of a function; a symbol that says more than a name stays."""
    return _unmangled(symbol) or symbol


def _argument(declaration: Declaration) -> Argument:
    name = declaration.declarators[0].name
    if is_array(declaration) or declaration.vector is not None:
        type_ = type_of(declaration)
        align = max(declaration.alignment or 1, align_of(type_, {}))
        return Argument(ty.PTR, name, (f"byval({type_})", f"align {align}"))
    return Argument(ty.PTR if declaration.pointer else element_of(declaration), name)


def _attributes(kernel: ptx.Function) -> str:
    words = [
        f'"{attribute}"="{",".join(map(str, numbers))}"'
        for directive, attribute in _DIRECTIVES.items()
        if (numbers := kernel.directive(directive))
    ]
    return " ".join(words)


def _unmangled(symbol: str) -> str | None:
    """The names in a mangled one, with the namespaces; None if it has more than names, such as template arguments."""
    found = _PLAIN_NAME.match(symbol)
    if found is None:
        return None
    at = found.end()
    names: list[str] = []
    while length := re.match(r"\d+", symbol[at:]):
        begin = at + length.end()
        at = begin + int(length[0])
        names.append(symbol[begin:at])
        if not found["nested"]:
            break
    following = symbol[at : at + 1]
    if following == "I" or (found["nested"] and following != "E"):
        return None
    return "::".join(name for name in names if not name.startswith("_GLOBAL__N"))
