# SPDX-License-Identifier: Apache-2.0
"""Writes a module as LLVM 22 textual IR: deterministic, accepted by LLVM, and read back to the same text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from lanewise.ir import types as ty
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction, Metadata
from lanewise.ir.module import Alias, GlobalVariable, Module
from lanewise.ir.names import is_number, quoted
from lanewise.ir.ops import OPS
from lanewise.ir.symbol_words import BEFORE_CONVENTION
from lanewise.ir.types import Type
from lanewise.ir.values import HOLE, Constant, Global, Value

Names = dict[Value, str]
"""The spelling of each local value of the function at hand, percent sign included."""


def write_module(module: Module) -> str:
    """The whole module as text, ending in a newline."""
    parts = list(module.header)
    parts += [write_type(name, body) for name, body in module.types.items()]
    for symbol in module.symbols.values():
        text = write_symbol(symbol)
        parts.append("\n" + text if isinstance(symbol, Function) else text)
    if module.attributes:
        parts.append("")
    parts += [f"attributes {name} = {{ {body} }}" for name, body in module.attributes.items()]
    if module.metadata:
        parts.append("")
    parts += [f"{name} = {body}" for name, body in module.metadata.items()]
    return "\n".join(parts) + "\n"


def write_type(name: str, body: Type | None) -> str:
    """The definition of a named type."""
    return f"%{quoted(name)} = type {'opaque' if body is None else body}"


def write_symbol(symbol: Global) -> str:
    """The definition or declaration of a symbol, without a newline at its end."""
    if isinstance(symbol, Function):
        return write_function(symbol)
    if isinstance(symbol, GlobalVariable):
        return _variable(symbol)
    assert isinstance(symbol, Alias)
    return _alias(symbol)


def write_function(function: Function) -> str:
    """A definition or declaration, without a newline at its end."""
    names = local_names(function)
    lines = [_header(function, names)]
    for i, block in enumerate(function.blocks):
        if i:
            lines.append("")
        lines.append(names[block][1:] + ":")
        lines += [_instruction(instruction, names) for instruction in block.instructions]
    if function.blocks:
        lines.append("}")
    return "\n".join(lines)


def function_header(function: Function) -> str:
    """The first line of a definition, or all of a declaration."""
    return _header(function, local_names(function))


def _header(function: Function, names: Names) -> str:
    parameters = [
        " ".join([str(a.type), *a.attributes, *((names[a],) if function.blocks else ())]) for a in function.arguments
    ]
    if function.value_type.vararg:
        parameters.append("...")
    words = [w for w in (function.linkage, *function.prefix) if w]
    # LLVM wants dso_local and visibility before the convention, attributes of the result after it
    split = next((i for i, w in enumerate(words) if w not in BEFORE_CONVENTION), len(words))
    if function.convention:
        words.insert(split, function.convention)
    header = " ".join([*words, str(function.result_type)])
    header += f" @{quoted(function.symbol)}({', '.join(parameters)})"
    if function.suffix:
        header += " " + function.suffix
    metadata = "".join(f" {kind} {node}" for kind, node in function.metadata)
    return f"define {header}{metadata} {{" if function.blocks else f"declare{metadata} {header}"


def write_instruction(instruction: Instruction, names: Names | None = None) -> str:
    """One instruction alone, for messages, as it is written in its function if it has one. `names`: those of values, if
    they are known."""
    if names is None:
        block = instruction.block
        function = block.function if block is not None else None
        names = local_names(function) if function is not None else {}
    return _instruction(instruction, names).strip()


def local_names(function: Function, more: Sequence[Block] = ()) -> Names:
    """Names of arguments, blocks and results: their own made unique, the rest numbered as LLVM numbers them. `more` are
    blocks that have not joined the function yet."""
    names: Names = {}
    taken: set[str] = set()
    suffixes: dict[str, int] = {}
    count = 0

    def give(value: Value) -> None:
        nonlocal count
        name = value.name
        if name is None:
            names[value] = f"%{count}"
            count += 1
            return
        if name in taken:
            name = name.strip('"')
            suffix = suffixes.get(name, 1)
            while f"{name}.{suffix}" in taken:
                suffix += 1
            suffixes[name] = suffix + 1
            name = f"{name}.{suffix}"
        taken.add(name)
        names[value] = f'%"{name}"' if is_number(name) else "%" + quoted(name)

    for argument in function.arguments:
        give(argument)
    for block in (*function.blocks, *more):
        give(block)
        for instruction in block.instructions:
            if instruction.type is not ty.VOID:
                give(instruction)
    return names


def _variable(variable: GlobalVariable) -> str:
    words = [f"@{quoted(variable.name or '')} =", *variable.prefix, str(variable.value_type)]
    if variable.initializer is not None:
        words.append(write_value(variable.initializer, {}))
    text = " ".join(words) + (
        variable.suffix if variable.suffix.startswith(",") else variable.suffix and " " + variable.suffix
    )
    return text + _attachments(variable.metadata)


def _alias(alias: Alias) -> str:
    aliasee = alias.aliasee
    # LLVM takes no type before a constant expression here
    expression = aliasee.__class__ is Constant and aliasee.kind == "expr"  # type: ignore[attr-defined]
    shown = write_value(aliasee, {}) if expression else _typed(aliasee, {})
    words = f"@{quoted(alias.name or '')} = {alias.text} {alias.value_type}, {shown}"
    return words + (alias.suffix if alias.suffix.startswith(",") else alias.suffix and " " + alias.suffix)


def _attachments(metadata: Metadata) -> str:
    return "".join(f", {kind} {node}" for kind, node in metadata)


# -- values ------------------------------------------------------------------------------------------------------


def write_value(value: Value, names: Names) -> str:
    """A value without its type, as an operand is written."""
    known = names.get(value)
    if known is not None:
        return known
    if value.__class__ is Constant:
        return _constant(value, names)  # type: ignore[arg-type]  # just tested
    if isinstance(value, Global):
        return "@" + quoted(value.name or "")
    return f"%<{value.name or 'of no function'}>"


def _typed(value: Value, names: Names) -> str:
    if value.type is ty.METADATA:
        return "metadata " + write_value(value, names)
    if isinstance(value, Constant) and value.kind == "int":  # the commonest: masks of shuffles, tables
        return f"{value.type.text} {value.text}"
    return f"{value.type} {write_value(value, names)}"


def _list(values: list[Value] | tuple[Value, ...], names: Names) -> str:
    return ", ".join([_typed(v, names) for v in values])


def _constant(constant: Constant, names: Names) -> str:
    kind = constant.kind
    if kind in ("int", "float", "other", "asm"):
        return constant.text
    if kind == "string":
        return f'c"{constant.text}"'
    if kind == "splat":
        return f"splat ({_typed(constant.operands[0], names)})"
    if kind == "metadata":
        return _filled(constant.text, constant.operands, names)
    if kind == "aggregate":
        return _aggregate(constant, names)
    if kind == "expr":
        return _expression(constant, names)
    return kind


def _aggregate(constant: Constant, names: Names) -> str:
    inside = _list(constant.operands, names)
    match constant.type.kind:
        case "array":
            return f"[{inside}]"
        case "vector":
            return f"<{inside}>"
        case _:
            packed = constant.opcode == "packed"
            return f"<{{ {inside} }}>" if packed else f"{{ {inside} }}" if inside else "{}"


def _expression(constant: Constant, names: Names) -> str:
    words = " ".join([constant.opcode, *constant.flags])
    inside = _list(constant.operands, names)
    if constant.source_type is not None:
        inside = f"{constant.source_type}, {inside}"
    if OPS[constant.opcode].form == "cast":
        inside += f" to {constant.type}"
    return f"{words} ({inside})"


def _filled(text: str, operands: tuple[Value, ...] | list[Value], names: Names) -> str:
    parts = text.split(HOLE)
    return parts[0] + "".join(
        write_value(operand, names) + part for operand, part in zip(operands, parts[1:], strict=True)
    )


# -- instructions ------------------------------------------------------------------------------------------------


def _instruction(instruction: Instruction, names: Names) -> str:
    op = instruction.op
    row = OPS.get(op)
    if row is None:
        return f"    {op}({_filled(instruction.predicate, instruction.operands, names)})"
    text = _FORMS[row.form](instruction, names)
    if instruction.metadata:
        text += _attachments(instruction.metadata)
    if instruction.type is ty.VOID:
        return "  " + text
    return f"  {names.get(instruction, '%?')} = {text}"


def _words(instruction: Instruction) -> str:
    """The operation with its flags."""
    return " ".join((instruction.op, *instruction.flags)) if instruction.flags else instruction.op


def _plain(instruction: Instruction, names: Names) -> str:
    """`op flags type a, b`: binary, unary."""
    first = instruction.operands[0]
    shown = ", ".join([write_value(o, names) for o in instruction.operands])
    return f"{_words(instruction)} {first.type} {shown}"


def _cast(instruction: Instruction, names: Names) -> str:
    return f"{_words(instruction)} {_typed(instruction.operands[0], names)} to {instruction.type}"


def _compare(instruction: Instruction, names: Names) -> str:
    a, b = instruction.operands
    shown = f"{a.type} {write_value(a, names)}, {write_value(b, names)}"
    return f"{_words(instruction)} {instruction.predicate} {shown}"


def _phi(instruction: Instruction, names: Names) -> str:
    pairs = ", ".join(
        [f"[ {write_value(value, names)}, {write_value(block, names)} ]" for value, block in instruction.incoming()]
    )
    return f"{_words(instruction)} {instruction.type} {pairs}"


def _typed_operands(instruction: Instruction, names: Names) -> str:
    """`op flags type a, type b, ...`: select, elements, aggregates, addresses."""
    shown = _list(instruction.operands, names)
    if instruction.op == "getelementptr":
        shown = f"{instruction.source_type}, {shown}"
    if instruction.indices:
        shown += "".join([f", {i}" for i in instruction.indices])
    return f"{_words(instruction)} {shown}"


def _memory(instruction: Instruction, names: Names) -> str:
    op = instruction.op
    words = _words(instruction)
    shown = _list(instruction.operands, names)
    if op == "alloca":
        shown = f"{instruction.source_type}" + (shown and ", " + shown)
    elif op == "load":
        shown = f"{instruction.type}, {shown}"
    elif op == "atomicrmw":
        shown = f"{instruction.predicate} {shown}"
    elif op == "va_arg":
        shown = f"{shown}, {instruction.type}"
    ordering = instruction.ordering
    if ordering is not None:
        shown = " ".join(filter(None, (shown, ordering.scope, ordering.success, ordering.failure)))
    if instruction.align:
        shown += f", align {instruction.align}"
    if op == "alloca" and instruction.type.addrspace:
        shown += f", addrspace({instruction.type.addrspace})"
    return f"{words} {shown}"


def _call(instruction: Instruction, names: Names) -> str:
    site = instruction.call
    assert site is not None, "a call without a call site"
    tail = [f for f in instruction.flags if f in ("tail", "musttail", "notail")]
    fast = [f for f in instruction.flags if f not in ("tail", "musttail", "notail")]
    shape = site.function_type
    words = [*tail, "call", *fast, *site.prefix, str(shape if shape.vararg else shape.inner)]
    arguments: list[str] = []
    for i, argument in enumerate(instruction.operands[1:]):
        attributes = site.arguments[i] if i < len(site.arguments) else ()
        if attributes == ("metadata",):
            arguments.append(f"metadata {_typed(argument, names)}")
        elif attributes:
            arguments.append(f"{argument.type} {' '.join(attributes)} {write_value(argument, names)}")
        else:
            arguments.append(_typed(argument, names))
    text = f"{' '.join(words)} {write_value(instruction.operands[0], names)}({', '.join(arguments)})"
    return f"{text} {site.suffix}" if site.suffix else text


def _terminator(instruction: Instruction, names: Names) -> str:
    op = instruction.op
    operands = instruction.operands
    if op == "ret":
        return f"ret {_typed(operands[0], names)}" if operands else "ret void"
    if op == "switch":
        cases = [
            f"    {_typed(operands[i], names)}, {_typed(operands[i + 1], names)}" for i in range(2, len(operands), 2)
        ]
        return "\n".join([f"switch {_list(operands[:2], names)} [", *cases, "  ]"])
    if op == "indirectbr":
        return f"indirectbr {_typed(operands[0], names)}, [{_list(operands[1:], names)}]"
    return f"{op} {_list(operands, names)}" if operands else op


_FORMS: Final[dict[str, Callable[[Instruction, Names], str]]] = {
    "binary": _plain,
    "unary": _plain,
    "cast": _cast,
    "compare": _compare,
    "phi": _phi,
    "select": _typed_operands,
    "element": _typed_operands,
    "aggregate": _typed_operands,
    "address": _typed_operands,
    "memory": _memory,
    "call": _call,
    "terminator": _terminator,
}
