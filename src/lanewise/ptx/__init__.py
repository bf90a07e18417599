# SPDX-License-Identifier: Apache-2.0
"""PTX as input: parsing, symbolic emulation, and replacement of loads by warp shuffles.

    import lanewise as lw
    module = lw.ptx.parse(text)
    print(lw.ptx.emulate(module.kernels[0]))
    print(lw.ptx.synthesise_shuffles(module).text)

language    text to a model and back
control     the linear code of a function, basic blocks, loops
symbolic    the emulator: registers and addresses as functions of unknown inputs
shuffles    replacement of loads that another lane of the warp has done
assembler   the real ptxas, found and run
stand_in    files that make a compiler call us for ptxas
declined    a kernel or load that is left unchanged, and the reason

Source: Matsumura, Garcia De Gonzalo, Peña, "A Symbolic Emulator for Shuffle Synthesis on the NVIDIA PTX Code", CC 2023
(PTXASW below).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanewise.errors import CompileError, Error

if TYPE_CHECKING:
    from lanewise.ptx.language.module import Function, Module
    from lanewise.ptx.shuffles.synthesis import Synthesis
    from lanewise.ptx.symbolic.trace import Trace


def parse(text: str, file: str = "<ptx>") -> Module:
    """The module that `text` holds: PTX of ISA 1.0 to 9.x. `file` names it in errors.

    `str(module)` is the same program. An unknown instruction is kept, and listed in `module.unknown` with its line.
    CompileError, with file, line and column, for anything that is not PTX.
    """
    from lanewise.ptx.language.parser import parse

    return parse(text, file)


def emulate(kernel: Function, extensions: bool = False) -> Trace:
    """The memory trace of a kernel of a module that was read by `parse`: each load and store of global, shared and
    generic memory, with its address as a function of special registers, parameters and loops' iterations (PTXASW, 4.3).

    `print` shows it in the form of the paper's Listing 5; `extensions`: with sign and zero extensions. CompileError if
    the kernel can't be emulated, with the line of the obstacle.
    """
    from lanewise.ptx.declined import DeclinedError
    from lanewise.ptx.symbolic.emulator import emulated
    from lanewise.ptx.symbolic.trace import trace_of

    module = kernel.module
    if module is None or kernel.body is None:
        raise CompileError(f"{kernel.name} has no body, or was not read from a text")
    try:
        found = emulated(module, kernel)
    except DeclinedError as declined:
        raise module.source.error(declined.start, f"{kernel.name} can't be emulated: {declined.why}") from None
    return trace_of(module, kernel, found, extensions)


def synthesise_shuffles(
    module: Module,
    *,
    always: bool = False,
    max_delta: int = 31,
    corner: bool = True,
    load: bool = True,
    uniform_branch: bool = False,
    arch: str | None = None,
) -> Synthesis:
    """Replace loads by warp shuffles if a nearby lane has loaded the value (PTXASW, section 5). Each is proven by Z3.

    `always`: shuffle even if, by latencies, it doesn't pay on the module's target. `max_delta`: the largest distance in
    lanes, 0 to 31. `corner=False` omits the corner cases, `load=False` the shuffles, too: both compute wrong results,
    and show the cost of each. `uniform_branch`: shuffle only if the whole warp is active (8.3). `arch`: the GPU that
    decides whether a shuffle pays, such as "sm_60", in place of the module's target.

    The result has the new `text`, the new `module`, and a report for each kernel, with reasons. Error for an invalid
    `max_delta` or `arch`.
    """
    from lanewise.ptx.shuffles.cost import architecture
    from lanewise.ptx.shuffles.rewriting import Style
    from lanewise.ptx.shuffles.synthesis import Options, synthesise

    if not 0 <= max_delta <= 31:
        raise Error(f"max_delta is a number of lanes from 0 to 31, not {max_delta}")
    if arch is not None and not architecture((arch,)):
        raise Error(f"arch is a GPU such as sm_60, not {arch!r}")
    style = Style(no_corner=not corner, no_load=not load, uniform_branch=uniform_branch)
    return synthesise(module, Options(always, max_delta, style, arch))
