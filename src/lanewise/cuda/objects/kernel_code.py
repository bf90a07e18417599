# SPDX-License-Identifier: Apache-2.0
"""Machine code of kernels and of their out-of-line functions, as relocatable objects.

The functions of a unit are linked into the program, so each needs a name of its own:

    lw.UNIT.group.N     work-group function number N
    lw.UNIT.table.N     addresses of the variables and functions that it uses; `image.py` defines it
    lw.UNIT.calls       the table of out-of-line functions
    lw.UNIT.table.calls addresses of the variables and functions that these use
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from lanewise.backend.host.compile import compile_object
from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cuda.objects.launch_sizes import Sizes, sizes_of
from lanewise.device.program import Program
from lanewise.errors import CompileError
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.ir.function import Function
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.writer import write_module
from lanewise.log import step
from lanewise.pipelines.cpu import compile_for_cpu, compile_out_of_line
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.mapping import Mapping as ItemMapping
from lanewise.workgroup.mapping import mapping_of

_NONE: Final = LaunchAssumptions(small_grid=False, apart=False)
_TUPLE: Final = (
    "its parameters have std::tuple, whose elements lie in another order in host code, which g++'s library is for; "
    "pass a struct"
)


class GroupCode(NamedTuple):
    """A work-group function for one local size, or for any."""

    function: str
    """Its symbol in the object."""
    table: str
    """Symbol of its table of addresses, "" without one."""
    size: Extent | None
    facts: LaunchFacts
    machine_code: bytes
    """The object file."""


class KernelCode(NamedTuple):
    """The code of a kernel, that with more assumptions first; or the reason why the CPU can't run it."""

    info: KernelInfo
    codes: tuple[GroupCode, ...] = ()
    refusal: str = ""


class CalledCode(NamedTuple):
    """The out-of-line functions of a unit."""

    functions: tuple[str, ...]
    """Their symbols on the device, in the order of the table."""
    table: str
    """Symbol of the table of their addresses."""
    addresses: str
    """Symbol of the table of addresses that they use, "" without one."""
    used: tuple[str, ...]
    """The symbols whose addresses these are."""
    refusals: Mapping[str, str]
    machine_code: bytes


def kernels_of(program: Program, info: ProgramInfo, unit: str, sizes: Callable[[], Sizes]) -> list[KernelCode]:
    """The code of all kernels of a program: for any local size, then for those of launches, which `sizes` tells. `unit`
    makes the names of the symbols unique."""
    numbers = iter(range(1 << 30))
    general = [_general_code(program, kernel, unit, numbers) for kernel in info.kernels]
    launches = sizes()
    return [_specialised(program, kernel, unit, numbers, launches) for kernel in general]


def _general_code(program: Program, kernel: KernelInfo, unit: str, numbers: Iterator[int]) -> KernelCode:
    """Code for launches that meet the usual assumptions, and for all others if those are needed; of the only local size
    that the kernel allows, or of any."""
    if _takes_tuple(kernel):
        return KernelCode(kernel, refusal=_TUPLE)
    size = kernel.bounds.block
    try:
        codes = [_code(program, kernel, unit, next(numbers), ALL, size)]
        if codes[0].facts.apart or codes[0].facts.needs_small_grid:
            codes.append(_code(program, kernel, unit, next(numbers), _NONE, size))
        return KernelCode(kernel, tuple(codes))
    except CompileError as error:
        return KernelCode(kernel, refusal=str(error).replace(kernel.signature.symbol, kernel.qualified, 1))


def _takes_tuple(kernel: KernelInfo) -> bool:
    parameters = kernel.written.removeprefix(kernel.qualified)
    return "St5tuple" in kernel.signature.symbol and "tuple<" in parameters


def _specialised(
    program: Program, kernel: KernelCode, unit: str, numbers: Iterator[int], launches: Sizes
) -> KernelCode:
    """The kernel with code for the local sizes of launches, under the usual assumptions, before its other code."""
    if kernel.refusal or kernel.info.bounds.block is not None:
        return kernel
    sizes = sizes_of(launches, kernel.info.signature.symbol)
    made = [_code(program, kernel.info, unit, next(numbers), ALL, size) for size in sizes]
    return kernel._replace(codes=(*made, *kernel.codes))


def _code(
    program: Program, kernel: KernelInfo, unit: str, number: int, assumptions: LaunchAssumptions, size: Extent | None
) -> GroupCode:
    symbol = kernel.signature.symbol
    fused, mapping = has_fused_multiply_add(), _mapping(program)
    with step(f"machine code of {kernel.qualified}"):
        made = compile_for_cpu(
            program.reader(fused=fused), symbol, size, assumptions=assumptions, fused=fused, mapping=mapping
        )
        function, table = f"lw.{unit}.group.{number}", f"lw.{unit}.table.{number}"
        renamed = _renamed(made.module, {abi.ENTRY_SYMBOL: function, abi.VARIABLES_SYMBOL: table})
        return GroupCode(
            function,
            table if made.facts.variables else "",
            size,
            made.facts,
            compile_object(write_module(renamed)),
        )


def called_code(program: Program, unit: str) -> CalledCode:
    """The out-of-line functions of a program that has some."""
    fused = has_fused_multiply_add()
    made = compile_out_of_line(program.reader(fused=fused), fused=fused)
    table, addresses = f"lw.{unit}.calls", f"lw.{unit}.table.calls"
    renamed = _renamed(made.module, {abi.FUNCTIONS_SYMBOL: table, abi.VARIABLES_SYMBOL: addresses})
    code = compile_object(write_module(renamed))
    return CalledCode(made.functions, table, addresses if made.variables else "", made.variables, made.refusals, code)


def reaches_functions(kernels: Sequence[KernelCode], variables: frozenset[str]) -> bool:
    """True if kernels call, or their tables have, functions that aren't part of the kernels' code."""
    facts = [code.facts for kernel in kernels for code in kernel.codes]
    return any(of.calls or not variables.issuperset(of.variables) for of in facts)


def _mapping(program: Program) -> ItemMapping:
    return mapping_of(program.options["mapping"])


def _renamed(module: Module, names: Mapping[str, str]) -> Module:
    """The module with other names for some of its symbols. Tables of addresses are declared only: the image has
    them."""
    for symbol in list(module.symbols.values()):
        if symbol.name not in names:
            continue
        if isinstance(symbol, GlobalVariable) and symbol.name == abi.VARIABLES_SYMBOL:
            symbol.initializer = None
            symbol.prefix = ("external", "hidden", "global")
        elif isinstance(symbol, Function | GlobalVariable):
            symbol.prefix = ("hidden", *symbol.prefix)
        del module.symbols[str(symbol.name)]
        symbol.name = names[str(symbol.name)]
        module.add(symbol)
    return module
