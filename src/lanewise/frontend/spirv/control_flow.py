# SPDX-License-Identifier: Apache-2.0
"""Blocks, branches, calls and returns. Source: SPIR-V Specification 1.6, 3.56.17 "Control-Flow Instructions"."""

from __future__ import annotations

from typing import Final

from lanewise.frontend.spirv import types as ty
from lanewise.frontend.spirv.arithmetic import Handler
from lanewise.frontend.spirv.function import FunctionWriter, Phi
from lanewise.frontend.spirv.literals import integer_text
from lanewise.frontend.spirv.module import damaged
from lanewise.frontend.spirv.words import SpirvInstruction


def _label(writer: FunctionWriter, each: SpirvInstruction) -> None:
    writer.block = each.result
    writer.lines.append(f"b{each.result}:")


def _branch(writer: FunctionWriter, each: SpirvInstruction) -> None:
    writer.edges[writer.block, each.operands[0]] += 1
    writer.line(f"br label %b{each.operands[0]}")


def _conditionally(writer: FunctionWriter, each: SpirvInstruction) -> None:
    condition, yes, no = each.operands[:3]
    writer.edges.update([(writer.block, yes), (writer.block, no)])
    writer.line(f"br {writer.typed(condition)}, label %b{yes}, label %b{no}")


def _switch(writer: FunctionWriter, each: SpirvInstruction) -> None:
    selector, otherwise, *rest = each.operands
    kind = writer.type_of(selector)
    if not isinstance(kind, ty.IntType):
        raise damaged(f"OpSwitch of {kind.text}")
    words = 2 if kind.bits == 64 else 1
    targets = [otherwise, *rest[words :: words + 1]]
    writer.edges.update((writer.block, target) for target in targets)
    cases: list[str] = []
    for place in range(0, len(rest), words + 1):
        pattern = sum(word << 32 * i for i, word in enumerate(rest[place : place + words]))
        cases.append(f"{kind.text} {integer_text(pattern, kind.bits)}, label %b{rest[place + words]}")
    writer.line(f"switch {writer.typed(selector)}, label %b{otherwise} [ {' '.join(cases)} ]")


def _phi(writer: FunctionWriter, each: SpirvInstruction) -> None:
    """A phi function. It is written when all of the function is: only then its values have their names, and the edges
    into its block are known."""
    writer.define(each.result, each.type)
    writer.phis.append(Phi(len(writer.lines), writer.block, each))
    writer.lines.append("")


def write_phis(writer: FunctionWriter) -> None:
    """Write the phi functions. In LLVM IR one has a value for each edge: a switch may lead to a block several times."""
    for line, block, each in writer.phis:
        pairs = list(zip(each.operands[::2], each.operands[1::2], strict=True))
        if len({source for _, source in pairs}) < len(pairs):
            raise damaged("OpPhi names a block twice")
        sources = ", ".join(
            f"[ {writer.value(value)}, %b{source} ]"
            for value, source in pairs
            for _ in range(writer.edges[source, block])
        )
        writer.lines[line] = f"  %v{each.result} = phi {writer.module.type(each.type).text} {sources}"


def _call(writer: FunctionWriter, each: SpirvInstruction) -> None:
    callee, *arguments = each.operands
    if callee not in writer.functions:
        raise damaged(f"%{callee} is called and is no function")
    result = writer.module.type(each.type)
    given = ", ".join(writer.typed(number) for number in arguments)
    call = f"call {result.text} @{writer.functions[callee]}({given})"
    if isinstance(result, ty.VoidType):
        writer.line(call)
    else:
        writer.result(each.result, each.type, call)


CONTROL_FLOW: Final[dict[str, Handler]] = {
    "Label": _label,
    "Branch": _branch,
    "BranchConditional": _conditionally,
    "Switch": _switch,
    "Phi": _phi,
    "FunctionCall": _call,
    "Return": lambda writer, _: writer.line("ret void"),
    "ReturnValue": lambda writer, each: writer.line(f"ret {writer.typed(each.operands[0])}"),
    "Unreachable": lambda writer, _: writer.line("unreachable"),
    "Kill": lambda writer, _: writer.line("unreachable"),
}
