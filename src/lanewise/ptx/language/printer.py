# SPDX-License-Identifier: Apache-2.0
"""The model as text, which parses back to the same model."""

from __future__ import annotations

from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.statements import (
    Block,
    Declaration,
    Declarator,
    Directive,
    Initializer,
    Instruction,
    Label,
    Statement,
)  # fmt: skip

_NO_SPACE_BEFORE = frozenset({",", ";", ")", "]", ":"})
_NO_SPACE_AFTER = frozenset({"(", "["})
_DATA = frozenset({".b8", ".b16", ".b32", ".b64"})


def printed(module: Module) -> str:
    major, minor = module.version
    lines = [f".version {major}.{minor}", f".target {', '.join(module.targets)}"]
    if module.states_address_size:
        lines.append(f".address_size {module.address_size}")
    for item in module.items:
        if isinstance(item, Function):
            lines += ["", *_function(item)]
        elif isinstance(item, Declaration):
            lines.append(declaration_text(item) + ";")
        else:
            lines.append(_directive(item))
    return "\n".join(lines) + "\n"


def _function(function: Function) -> list[str]:
    head = "".join(f"{word} " for word in function.linkage) + (".entry" if function.is_kernel else ".func")
    if function.attributes:
        head += f" .attribute({_joined(function.attributes)})"
    if function.results:
        head += f" ({', '.join(declaration_text(result) for result in function.results)})"
    head += f" {function.name}"
    lines = [f"{head}("]
    last = len(function.parameters) - 1
    lines += [f"\t{declaration_text(p)}{',' if i < last else ''}" for i, p in enumerate(function.parameters)]
    lines.append(")")
    lines += [_joined(words) + (";" if words[0] == ".pragma" else "") for words in function.directives]
    if function.body is None:
        lines[-1] += ";"
        return lines
    return lines + _block(function.body, "")


def _block(block: Block, indent: str) -> list[str]:
    lines = [f"{indent}{{"]
    for statement in block.statements:
        if isinstance(statement, Block):
            lines += _block(statement, indent + "\t")
        elif isinstance(statement, Label):
            lines.append(f"{indent}{statement.name}:")
        else:
            lines.append(f"{indent}\t{statement_text(statement)}")
    lines.append(f"{indent}}}")
    return lines


def statement_text(statement: Statement) -> str:
    """One statement, without indentation; a block takes several lines."""
    if isinstance(statement, Instruction):
        return instruction_text(statement)
    if isinstance(statement, Label):
        return f"{statement.name}:"
    if isinstance(statement, Declaration):
        return declaration_text(statement) + ";"
    if isinstance(statement, Directive):
        return _directive(statement)
    return "\n".join(_block(statement, ""))


def instruction_text(instruction: Instruction) -> str:
    guard = f"{instruction.guard} " if instruction.guard else ""
    if not instruction.operands:
        return f"{guard}{instruction.opcode};"
    operands = ", ".join(map(str, instruction.operands))
    return f"{guard}{instruction.opcode} {operands};"


def declaration_text(declaration: Declaration) -> str:
    words = [*declaration.linkage, f".{declaration.space}"]
    if declaration.attributes:
        words.append(f".attribute({_joined(declaration.attributes)})")
    if declaration.alignment is not None:
        words.append(f".align {declaration.alignment}")
    if declaration.vector is not None:
        words.append(f".v{declaration.vector}")
    words.append(f".{declaration.type}")
    words += declaration.pointer
    return f"{' '.join(words)} {', '.join(map(_declarator, declaration.declarators))}"


def _declarator(declarator: Declarator) -> str:
    text = declarator.name
    if declarator.count is not None:
        text += f"<{declarator.count}>"
    text += "".join(f"[{'' if size is None else size}]" for size in declarator.dimensions)
    if declarator.initializer is not None:
        text += f" = {_initializer(declarator.initializer)}"
    return text


def _initializer(initializer: Initializer) -> str:
    if isinstance(initializer, tuple):
        return "{" + ", ".join(map(_initializer, initializer)) + "}"
    return str(initializer)


def _directive(directive: Directive) -> str:
    if directive.words[0] == ".section":
        return _section(directive.words)
    return _joined(directive.words) + (";" if directive.ended else "")


def _section(words: tuple[str, ...]) -> str:
    """`.section name { data }`, with one line per directive and label."""
    lines = [f"{words[0]} {words[1]}", "{"]
    begin = 3
    for i in range(4, len(words)):
        # A line starts after a label, and before a directive or a label; the last word is the brace.
        if words[i - 1] == ":" or words[i] in _DATA or words[i + 1 : i + 2] == (":",) or i == len(words) - 1:
            lines.append("\t" + _joined(words[begin:i]))
            begin = i
    return "\n".join([*lines, "}"])


def _joined(words: tuple[str, ...]) -> str:
    text = ""
    for i, word in enumerate(words):
        glued = i == 0 or word in _NO_SPACE_BEFORE or words[i - 1] in _NO_SPACE_AFTER
        text += word if glued else f" {word}"
    return text
