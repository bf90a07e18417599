# SPDX-License-Identifier: Apache-2.0
"""Inline assembly as kernel IR, for devices that run no PTX.

Each statement becomes a function of PTX, whose parameters and results are its operands, and then a function of kernel
IR, which the statement calls. Equal statements share one.

Before
    define i32 @twice(i32 %a) {
      %r = call i32 asm "add.s32 $0, $1, $1;", "=r,r"(i32 %a)
      ret i32 %r
    }

After
    define i32 @twice(i32 %a) {
      %r = call i32 @__lw_asm_0(i32 %a)
      ret i32 %r
    }
    define internal i32 @__lw_asm_0(i32 %0) alwaysinline {
    entry:
      br label %start
    start:
      %1 = add i32 %0, %0
      ret i32 %1
    }

Operands are registers of 16, 32, 64 or 128 bits (`h r l q`), numbers of floating point (`f d`) and constants (`n i`).
What has no translation stays as it is, and whoever is to run it names it.

Source: LLVM Language Reference, "Inline Assembler Expressions"; Inline PTX Assembly in CUDA, "Constraints".
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from lanewise.errors import CompileError
from lanewise.frontend.ptx.refusal import RefusedError
from lanewise.frontend.ptx.symbols import PtxProgram
from lanewise.ir import types as ty
from lanewise.ir.builder import Builder
from lanewise.ir.function import Block, Function
from lanewise.ir.instruction import Instruction
from lanewise.ir.module import Module
from lanewise.ir.types import Type
from lanewise.ir.values import Constant, Value, poison
from lanewise.passes import recover_pointers
from lanewise.ptx.language.parser import parse

_STATEMENT: Final = re.compile(r'asm (?:[a-z]+ )*"(?P<template>[^"]*)", "(?P<constraints>[^"]*)"').fullmatch
_ESCAPE: Final = re.compile(r"\\([0-9A-Fa-f]{2})")
_PLACE: Final = re.compile(r"\$(?:\$|(\d+)|\{(\d+)(?::\w)?\}|\{:uid\})")
_REGISTERS: Final = {"h": "b16", "r": "b32", "l": "b64", "q": "b128", "f": "f32", "d": "f64"}
_HEADER: Final = ".version 9.0\n.target sm_100a\n.address_size 64\n"


class _Statement(NamedTuple):
    """The parts of a statement: `results` and `inputs` are the letters of its constraints, or the number of the result
    whose register an input shares."""

    template: str
    results: tuple[str, ...]
    inputs: tuple[str, ...]


def define_assembly(module: Module) -> bool:
    """Make functions of a module's inline assembly. Returns whether there was any that could be."""
    calls = [i for f in module.functions for i in f.instructions() if _assembly(i) is not None]
    made: dict[object, Function | None] = {}
    for call in calls:
        _define(call, module, made)
    return any(made.values())


def _assembly(instruction: Instruction) -> Constant | None:
    """The assembly that an instruction calls; None if it calls none."""
    callee = instruction.operands[0] if instruction.op == "call" else None
    return callee if isinstance(callee, Constant) and callee.kind == "asm" else None


def _define(call: Instruction, module: Module, made: dict[object, Function | None]) -> None:
    callee = _assembly(call)
    assert callee is not None
    statement = _parsed(callee.text)
    if statement is None or len(statement.inputs) != len(call.arguments):
        return
    arguments = call.arguments
    constants = tuple(a.text for a, letter in zip(arguments, statement.inputs, strict=True)
                      if letter in ("n", "i") and isinstance(a, Constant))  # fmt: skip
    key = (callee.text, call.type, tuple(a.type for a in arguments), constants)
    if key not in made:
        made[key] = _function(statement, arguments, module, f"__lw_asm_{len(made)}")
    function = made[key]
    if function is None:
        return
    given = [a for a, letter in zip(arguments, statement.inputs, strict=True) if letter not in ("n", "i")]
    _replace(call, function, given)


def _replace(call: Instruction, function: Function, given: Sequence[Value]) -> None:
    """Call a function in place of the assembly. It has integers where the call may have numbers and pointers."""
    block, before = call.parent, Builder(Block())
    operands = [_as_integer(a, type_, before) for a, type_ in zip(given, function.value_type.fields, strict=True)]
    made = before.call_function(function, operands)
    result: Value = made
    if call.type is not made.type and call.type is not ty.VOID:
        result = _as_result(made, call.type, before)
    place = block.instructions.index(call)
    line = tuple(each for each in call.metadata if each[0] == "!dbg")
    for each in before.block.instructions:
        each.block = block
        each.metadata = line
    block.instructions[place:place] = before.block.instructions
    result.name = call.name
    call.replace_all_uses(result)
    call.erase()


def _as_integer(value: Value, type_: Type, build: Builder) -> Value:
    if value.type is type_:
        return value
    return build.cast("ptrtoint" if value.type.is_pointer else "bitcast", value, type_)


def _as_result(value: Value, type_: Type, build: Builder) -> Value:
    """Integers as the type of a statement: a number, a pointer, or several in a structure."""
    if value.type is type_:
        return value
    if type_.kind != "struct":
        return build.cast("inttoptr" if type_.is_pointer else "bitcast", value, type_)
    result: Value = poison(type_)
    for place, (field, part) in enumerate(zip(type_.fields, value.type.fields, strict=True)):
        piece = build.emit(Instruction("extractvalue", part, (value,), indices=(place,)))
        converted = _as_result(piece, field, build)
        result = build.emit(Instruction("insertvalue", type_, (result, converted), indices=(place,)))
    return result


def _parsed(text: str) -> _Statement | None:
    """The parts of `asm sideeffect "...", "..."`; None if its constraints are others than PTX's."""
    found = _STATEMENT(text)
    if found is None:
        return None
    template = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), found["template"])
    words = [word for word in found["constraints"].split(",") if word and not word.startswith("~")]
    results = tuple(word.lstrip("=&") for word in words if word.startswith("="))
    inputs = tuple(word for word in words if not word.startswith("="))
    known = all(word in _REGISTERS for word in results)
    known &= all(word in _REGISTERS or word in ("n", "i") or word.isdecimal() for word in inputs)
    return _Statement(template, results, inputs) if known else None


def _function(statement: _Statement, arguments: Sequence[Value], module: Module, name: str) -> Function | None:
    """The function of a statement in the module; None if it can't be translated."""
    text = _text(statement, arguments, name)
    try:
        source = parse(text, "inline assembly")
        if source.unknown:
            return None
        made = PtxProgram([source], module).parts[0].translate_function(name)
    except (RefusedError, CompileError):
        return None
    recover_pointers.run(made)
    made.suffix = "alwaysinline"
    return made


def _text(statement: _Statement, arguments: Sequence[Value], name: str) -> str:
    """A statement as a function of PTX."""
    places: list[str] = [f"%lw_r{number}" for number in range(len(statement.results))]
    parameters: list[str] = []
    moves: list[str] = []
    for number, (letter, argument) in enumerate(zip(statement.inputs, arguments, strict=True)):
        if letter in ("n", "i"):
            places.append(argument.text if isinstance(argument, Constant) else "")
            continue
        kind = _REGISTERS[statement.results[int(letter)] if letter.isdecimal() else letter]
        places.append(f"%lw_a{number}")
        parameters.append(f".reg .{kind} %lw_a{number}")
        if letter.isdecimal():
            moves.append(f"mov.{kind} %lw_r{letter}, %lw_a{number};")
    results = [f".reg .{_REGISTERS[letter]} %lw_r{number}" for number, letter in enumerate(statement.results)]

    def placed(match: re.Match[str]) -> str:
        number = match[1] or match[2]
        return places[int(number)] if number else "$" if match[0] == "$$" else name.replace("__lw_asm_", "")

    head = f"({', '.join(results)}) " if results else ""
    body = _PLACE.sub(placed, statement.template)
    return f"{_HEADER}.func {head}{name} ({', '.join(parameters)}) {{\n{' '.join(moves)}\n{body}\n;ret;\n}}\n"
