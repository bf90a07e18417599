# SPDX-License-Identifier: Apache-2.0
"""Machine code of kernels and of their out-of-line functions, as relocatable objects.

The functions of a unit are linked into the program, so each needs a name of its own:

    lw.UNIT.group.K.N   work-group function number N of kernel K
    lw.UNIT.table.K.N   addresses of the variables and functions that it uses; `image.py` defines it
    lw.UNIT.calls       the table of out-of-line functions
    lw.UNIT.table.calls addresses of the variables and functions that these use
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from lanewise.backend.host.compile import compile_object
from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cuda.objects.assumed import Assumed
from lanewise.cuda.objects.forked import shared_out
from lanewise.cuda.objects.launch_sizes import Sizes, sizes_of
from lanewise.device.cpu.choices import may_try
from lanewise.device.program import Program
from lanewise.errors import CompileError
from lanewise.frontend.info import KernelInfo, ProgramInfo
from lanewise.ir.function import Function
from lanewise.ir.module import GlobalVariable, Module
from lanewise.ir.writer import write_module
from lanewise.log import step
from lanewise.pipelines.cpu import compile_for_cpu, simplified_for_cpu
from lanewise.pipelines.out_of_line_functions import compile_out_of_line, compile_repeated
from lanewise.pipelines.simplified_kernel import SimplifiedKernel
from lanewise.pipelines.split_program import SplitProgram
from lanewise.workgroup.launch_assumptions import ALL, LaunchAssumptions
from lanewise.workgroup.launch_facts import LaunchFacts
from lanewise.workgroup.layout import abi
from lanewise.workgroup.layout.local_size import Extent
from lanewise.workgroup.layout.out_of_line import NONE
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
    simplified: SimplifiedKernel | None = None
    """Its IR, from which code for further local sizes can be made."""


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


class _Wanted(NamedTuple):
    """Code of a kernel that is to be made. `number` is the kernel's, `place` makes the names of its symbols unique."""

    number: int
    kernel: KernelInfo
    size: Extent | None
    place: int = 0
    assumptions: LaunchAssumptions = ALL
    simplified: SimplifiedKernel | None = None


def kernels_of(
    program: Program, info: ProgramInfo, unit: str, sizes: Callable[[], Sizes], assumed: Assumed = Assumed.BOTH
) -> list[KernelCode]:
    """The code of all kernels of a program: for any local size, then for those of launches, which `sizes` tells. `unit`
    makes the names of the symbols unique."""
    wanted = _wanted(info, assumed)
    general = shared_out(wanted, lambda of: _general_code(program, unit, of, assumed))
    launches = sizes()
    own = [of for number, kernel in enumerate(general) for of in _own_sizes(number, kernel, launches)]
    made = shared_out(own, lambda of: _code(program, unit, of))
    codes: dict[int, list[GroupCode]] = {}
    for of, code in zip(own, made, strict=True):
        codes.setdefault(of.number, []).append(code)
    return [kernel._replace(codes=(*codes.get(n, ()), *kernel.codes)) for n, kernel in enumerate(general)]


def split_code(
    program: Program, info: ProgramInfo, unit: str, split: SplitProgram, assumed: Assumed
) -> tuple[list[KernelCode], CalledCode]:
    """The code of all kernels of a program in two parts, for any local size, and that of the functions they call. A
    kernel that allows only one size has code for any as well, which code with all calls inlined may follow."""
    tasks: list[_Wanted | None] = [None, *(wanted._replace(size=None) for wanted in _wanted(info, assumed))]

    def work(task: _Wanted | None) -> KernelCode | CalledCode:
        if task is None:
            return called_code(program, unit, split)
        return _general_code(program, unit, task, assumed, split)

    made = shared_out(tasks, work)
    kernels = [code for code in made if isinstance(code, KernelCode)]
    (called,) = (code for code in made if isinstance(code, CalledCode))
    return kernels, called


def _wanted(info: ProgramInfo, assumed: Assumed) -> list[_Wanted]:
    """The code of each kernel for the only local size that it allows, or for any."""
    first = _NONE if assumed is Assumed.NOTHING else ALL
    return [
        _Wanted(number, kernel, kernel.bounds.block, assumptions=first) for number, kernel in enumerate(info.kernels)
    ]


def _general_code(
    program: Program, unit: str, wanted: _Wanted, assumed: Assumed, split: SplitProgram | None = None
) -> KernelCode:
    """The code that is wanted, of the only local size that the kernel allows, or of any."""
    kernel = wanted.kernel
    if _takes_tuple(kernel):
        return KernelCode(kernel, refusal=_TUPLE)
    try:
        fused = has_fused_multiply_add()
        simplified = None
        if split is None and assumed is Assumed.BOTH:
            simplified = simplified_for_cpu(program.reader(fused=fused), kernel.signature.symbol, fused)
        wanted = wanted._replace(simplified=simplified)
        codes = [_code(program, unit, wanted, split)]
        if assumed is Assumed.BOTH and (codes[0].facts.apart or codes[0].facts.needs_small_grid):
            codes.append(_code(program, unit, wanted._replace(place=1, assumptions=_NONE), split))
        return KernelCode(kernel, tuple(codes), simplified=simplified)
    except CompileError as error:
        return KernelCode(kernel, refusal=str(error).replace(kernel.signature.symbol, kernel.qualified, 1))


def _own_sizes(number: int, kernel: KernelCode, launches: Sizes) -> list[_Wanted]:
    """The code for the local sizes of a kernel's launches, under the usual assumptions."""
    if kernel.refusal or kernel.info.bounds.block is not None:
        return []
    sizes = sizes_of(launches, kernel.info.signature.symbol)
    shared = kernel.simplified
    return [_Wanted(number, kernel.info, size, place, simplified=shared) for place, size in enumerate(sizes, start=2)]


def _takes_tuple(kernel: KernelInfo) -> bool:
    parameters = kernel.written.removeprefix(kernel.qualified)
    return "St5tuple" in kernel.signature.symbol and "tuple<" in parameters


def _code(program: Program, unit: str, wanted: _Wanted, split: SplitProgram | None = None) -> GroupCode:
    kernel, fused = wanted.kernel, has_fused_multiply_add()
    source = wanted.simplified or (program.reader(fused=fused) if split is None else split.kernels)
    with step(f"machine code of {kernel.qualified}"):
        made = compile_for_cpu(
            source,
            kernel.signature.symbol,
            wanted.size,
            assumptions=wanted.assumptions,
            fused=fused,
            mapping=_mapping(program),
            repeated=NONE if split is None else split.out_of_line,
        )
        name = f"{wanted.number}.{wanted.place}"
        function, table = f"lw.{unit}.group.{name}", f"lw.{unit}.table.{name}"
        renamed = _renamed(made.module, {abi.ENTRY_SYMBOL: function, abi.VARIABLES_SYMBOL: table})
        return GroupCode(
            function,
            table if made.facts.variables else "",
            wanted.size,
            made.facts if may_try(program) else made.facts._replace(is_unsure=False),
            compile_object(write_module(renamed)),
        )


def called_code(program: Program, unit: str, split: SplitProgram | None = None) -> CalledCode:
    """The out-of-line functions of a program that has some. `split`: its repeated functions, too."""
    fused = has_fused_multiply_add()
    if split is None:
        made = compile_out_of_line(program.reader(fused=fused), fused=fused)
    else:
        with step(f"simplify the repeated functions of {program.name}"):
            made = compile_repeated(split, fused=fused)
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
