# SPDX-License-Identifier: Apache-2.0
"""Modules of PTX as one module of kernel IR, with the description of its kernels.

Functions that no kernel reaches are left out. A kernel that reaches something that has no translation is refused, with
the line; the others stay.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.clang.options import wants_lines, wants_positions
from lanewise.frontend.description import describe
from lanewise.frontend.info import ProgramInfo
from lanewise.frontend.ptx import kernels, legacy, references
from lanewise.frontend.ptx.flushing import flush_all
from lanewise.frontend.ptx.linking import owners_of
from lanewise.frontend.ptx.symbols import PtxProgram
from lanewise.frontend.source import Source
from lanewise.ir.debug_info import LINES_WANTED, POSITIONS_WANTED
from lanewise.ir.line_nodes import LineNodes
from lanewise.ir.module import Module
from lanewise.passes import recover_pointers
from lanewise.ptx.language import module as ptx
from lanewise.ptx.language.parser import parse

_HEADER: Final = (
    'target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"',
    'target triple = "nvptx64-nvidia-cuda"',
)


class PtxTranslation(NamedTuple):
    """A module and its description."""

    module: Module
    info: ProgramInfo


def translate(texts: Sequence[Source], options: Sequence[str] = (), counts: bool = False) -> PtxTranslation:
    """The kernel IR of PTX, linked if there are several texts. CompileError for what is no PTX, if symbols are missing
    or defined twice, and if no kernel has a translation. `options` say whether failures and output name lines, as do
    those of clang. `counts`: with counters of what is executed."""
    names = names_of(texts)
    sources = [parse(each.text, name) for each, name in zip(texts, names, strict=True)]
    for source in sources:
        _require_wide_addresses(source)
        legacy.write_out(source)
    owners = owners_of(sources)
    module = Module()
    module.header += _HEADER
    nodes = LineNodes(module, ", ".join(names))
    program = PtxProgram(sources, module, owners, nodes, flush_all(sources), counts)
    refused: dict[str, str] = {}
    wanted = [
        (part, kernel)
        for number, (part, source) in enumerate(zip(program.parts, sources, strict=True))
        for kernel in source.kernels
        if owners[kernel.name] == number
    ]
    for part, kernel in wanted:
        error = part.translate_kernel(kernel)
        if error is not None:
            refused[kernel.name] = error.told
    if wanted and len(refused) == len(wanted):
        raise CompileError("\n".join(refused.values()), tuple(refused.values()))
    for function in module.functions:
        recover_pointers.run(function)
    references.mark(module, program.references)
    if wants_positions(options) or any("debug" in source.targets for source in sources):
        module.metadata[POSITIONS_WANTED] = "!{}"
    if wants_lines(options):
        module.metadata[LINES_WANTED] = "!{}"
    info = describe(module, tuple(map(kernels.name_of, module.kernels)), {}, (), refused)
    return PtxTranslation(module, kernels.described(info, (kernel for _, kernel in wanted)))


def _require_wide_addresses(source: ptx.Module) -> None:
    """CompileError for addresses of 32 bits."""
    if source.address_size == 32:
        text = source.source
        place = max(number for number, token in enumerate(text.tokens) if token == ".address_size")
        raise text.error(text.starts[place], "addresses of 32 bits are not supported; PTX for 64 bits is")


def names_of(texts: Sequence[Source]) -> list[str]:
    """Names for messages: that of each file, and a number for each of several texts from no file."""
    if len(texts) == 1:
        return [texts[0].name]
    return [f"<source {number}>" if each.path is None else each.name for number, each in enumerate(texts, 1)]
