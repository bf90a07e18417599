# SPDX-License-Identifier: Apache-2.0
"""Reads LLVM 22 textual IR into a `Module`.

Reads      all of a module as LLVM prints it: opaque pointers, named types, variables, functions, aliases, every
           instruction that device code has, constant expressions, inline assembly, metadata, attributes, debug
           records. An instruction is on a line of its own; the cases of a switch may follow on theirs. Text written
           by hand in other shapes goes through LLVM's printer first.
Refuses    by name: exception handling (invoke, landingpad, ...), callbr, and musttail calls that pass on `...`. No
           kernel has any of these.
Drops      use-list orders, which only steer LLVM's own order in memory, and link-time summaries.
Speed      about 6 us per instruction. `roots` reads only what one of a program's kernels needs.

Source: LLVM Language Reference, "High Level Structure".
"""

from collections.abc import Collection
from typing import NamedTuple

from lanewise.ir import types as ty
from lanewise.ir.cursor import Cursor, address_space
from lanewise.ir.function import Function
from lanewise.ir.function_reader import FunctionReader
from lanewise.ir.instruction import Metadata
from lanewise.ir.lexer import IRSyntaxError, joined, split_attachments, tokens, without_comment
from lanewise.ir.module import Alias, GlobalVariable, Module
from lanewise.ir.names import is_number, symbols_in, unquoted
from lanewise.ir.symbol_words import CONVENTIONS, LINKAGES
from lanewise.ir.types import Type
from lanewise.ir.values import HOLE, Argument, Global


def read_module(text: str, roots: Collection[str] | None = None) -> Module:
    """The module that `text` describes. IRSyntaxError (a CompileError) names the first line that isn't IR.

    `roots`: the functions, by symbol, whose bodies are read, together with those of all that they refer to. Other
    functions become declarations."""
    if HOLE in text:
        line = text[: text.index(HOLE)].count("\n") + 1
        raise IRSyntaxError(line, HOLE, "text without NUL characters")
    reader = _ModuleReader(text)
    try:
        return reader.read(roots)
    except RecursionError:
        raise IRSyntaxError(reader.line, "a deeper one", "types and constants nested some 100 deep") from None


def read_into(module: Module, text: str) -> None:
    """Add to `module` the symbols and types that `text` describes, which has no metadata and no attribute groups.

    The text may refer to any symbol of the module. A definition takes the place of the module's declaration, and moves
    it to the end of the symbols. A declaration of a known function says nothing. IRSyntaxError as from `read_module`,
    also for what the module already defines."""
    _ModuleReader(text, module).read(None)


class _Body(NamedTuple):
    """The lines of a function's body."""

    function: Function
    parameters: list[str]
    """Name of each parameter in the body, "" for one that has the next number."""
    first: int
    last: int


class _ModuleReader:
    """First all types and symbols, which anything may refer to; then initialisers; then bodies."""

    def __init__(self, text: str, module: Module | None = None) -> None:
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.line = 1
        self.extends = module is not None
        self.module = Module() if module is None else module
        self.bodies: dict[str, _Body] = {}
        self.variables: list[tuple[str, int, int]] = []

    def read(self, roots: Collection[str] | None) -> Module:
        at = 0
        while at < len(self.lines):
            self.line = at + 1
            at = self._entity(at)
        for name, line, start in self.variables:
            self.line = line
            self._initialise(name, line, start)
        reader = FunctionReader(self.module.symbols, self.module.types)
        read = self.bodies.keys() if roots is None else self._reached(roots)
        for symbol, body in self.bodies.items():
            if symbol in read:
                self.line = body.first
                reader.read_body(body.function, body.parameters, self.lines[body.first : body.last], body.first + 1)
            else:
                body.function.linkage = ""  # no declaration is internal
        return self.module

    def _reached(self, roots: Collection[str]) -> set[str]:
        """All symbols that `roots` refer to, directly or through others, and they themselves."""
        lines = {name: self.lines[line - 1] for name, line, _ in self.variables}
        found: set[str] = set()
        work = list(roots)
        while work:
            symbol = work.pop()
            if symbol in found:
                continue
            found.add(symbol)
            body = self.bodies.get(symbol)
            text = lines.get(symbol, "") if body is None else "\n".join(self.lines[body.first : body.last])
            work += symbols_in(text)
        return found

    def _entity(self, at: int) -> int:
        """Read the entity that starts on line `at` (from 0); returns the line after it."""
        line = self.lines[at]
        first = line[:1]
        if first == "!":
            name, equals, body = line.partition(" = ")
            if not equals:
                raise IRSyntaxError(at + 1, name, "a metadata node, `!0 = !{...}`")
            self.module.metadata[name] = body.rstrip()
        elif first == "@":
            self._global(line, at + 1)
        elif first == "%":
            self._type(line, at + 1)
        elif line.startswith("define"):
            return self._function(line, at)
        elif line.startswith("declare"):
            self._declare_function(without_comment(line), at + 1, is_definition=False)
        elif line.startswith("attributes"):
            self._attribute_group(line, at + 1)
        elif first == "$" or line.startswith(("target", "source_filename", "module asm")):
            self.module.header.append(line.rstrip())
        elif line.strip() and not line.lstrip().startswith((";", "uselistorder", "^")):
            raise IRSyntaxError(at + 1, line.split()[0], "a definition at the top of a module")
        return at + 1

    def _cursor(self, line: str, number: int) -> Cursor:
        return Cursor(tokens(line), number, self.module.symbols)

    def _type(self, line: str, number: int) -> None:
        cursor = self._cursor(line, number)
        name = unquoted(cursor.next()[1:])
        cursor.expect("=")
        cursor.expect("type")
        self.module.types[name] = None if cursor.accept("opaque") else cursor.type()
        cursor.expect_end()

    def _attribute_group(self, line: str, number: int) -> None:
        name, _, body = line.partition(" = ")
        words = name.split()
        if len(words) != 2 or not body.startswith("{") or not body.rstrip().endswith("}"):
            raise IRSyntaxError(number, line, "attributes #0 = { ... }")
        self.module.attributes[words[1]] = body.strip()[1:-1].strip()

    # -- variables and aliases -----------------------------------------------------------------------------

    def _global(self, line: str, number: int) -> None:
        text, metadata = split_attachments(without_comment(line))
        cursor = self._cursor(text, number)
        name = unquoted(cursor.next()[1:])
        cursor.expect("=")
        prefix = [cursor.word_with_group()]
        while prefix[-1] not in ("global", "constant", "alias", "ifunc"):
            prefix.append(cursor.word_with_group())
        if name in self.module.symbols:
            raise IRSyntaxError(number, f"@{name}", "a symbol defined once")
        value_type = cursor.value_type()
        if prefix[-1] in ("alias", "ifunc"):
            cursor.expect(",")
            start = cursor.i
            aliasee = Global("", value_type, _type_of_aliasee(cursor).addrspace)
            cursor.i = start
            self.module.add(Alias(name, value_type, " ".join(prefix), aliasee, ""))
        else:
            space = address_space(" ".join(prefix))
            self.module.add(
                GlobalVariable(name, value_type, None, addrspace=space, prefix=tuple(prefix), metadata=metadata)
            )
        self.variables.append((name, number, cursor.i))

    def _initialise(self, name: str, number: int, start: int) -> None:
        text, _ = split_attachments(without_comment(self.lines[number - 1]))
        cursor = self._cursor(text, number)
        cursor.i = start
        symbol = self.module.symbols[name]
        if isinstance(symbol, Alias):
            symbol.aliasee = cursor.typed_value() if cursor.at_type() else cursor.expression(None)
            symbol.suffix = cursor.rest()
        elif isinstance(symbol, GlobalVariable):
            if cursor.t[cursor.i][:1] not in (",", "#", ""):
                symbol.initializer = cursor.value(symbol.value_type)
            symbol.suffix = cursor.rest()

    # -- functions -----------------------------------------------------------------------------------------

    def _function(self, line: str, at: int) -> int:
        header = without_comment(line).rstrip()
        if not header.endswith("{"):
            raise IRSyntaxError(at + 1, header[-20:], "'{' at the end of the line that begins a function")
        end = at + 1
        while end < len(self.lines) and self.lines[end].rstrip() != "}":
            end += 1
        if end == len(self.lines):
            raise IRSyntaxError(at + 1, "end of text", "'}' that ends the function")
        function, parameters = self._declare_function(header[:-1], at + 1, is_definition=True)
        self.bodies[function.symbol] = _Body(function, parameters, at + 1, end)
        return end + 1

    def _declare_function(self, header: str, number: int, *, is_definition: bool) -> tuple[Function, list[str]]:
        cursor = self._cursor(header, number)
        cursor.i = 1
        metadata: Metadata = ()
        while cursor.t[cursor.i][:1] == "!":  # declarations have theirs in front
            metadata += ((cursor.next(), cursor.metadata_node()),)
        linkage = convention = ""
        prefix: list[str] = []
        while not cursor.at_type():
            word = cursor.word_with_group()
            if word in LINKAGES:
                linkage = word
            elif word in CONVENTIONS or word.startswith("cc "):
                convention = word
            else:
                prefix.append(word)
        result = cursor.type()
        name = cursor.next()
        if name[:1] != "@":
            cursor.i -= 1
            raise cursor.wrong("the name of a function")
        arguments, names, vararg = _parameters(cursor)
        start = cursor.i
        while cursor.t[cursor.i] and cursor.t[cursor.i][0] != "!":
            cursor.i += 1
        suffix = joined(cursor.t[start : cursor.i])
        while cursor.t[cursor.i]:
            metadata += ((cursor.next(), cursor.metadata_node()),)
        function = Function(
            unquoted(name[1:]),
            ty.function(result, tuple(a.type for a in arguments), vararg),
            arguments,
            addrspace=address_space(suffix),
            linkage=linkage,
            convention=convention,
            prefix=tuple(prefix),
            suffix=suffix,
            metadata=metadata,
        )
        return self._added(function, number, is_definition), names

    def _added(self, function: Function, number: int, is_definition: bool) -> Function:
        """The module's function of this name: `function`, or the one that it had, with a new head for a definition."""
        symbols = self.module.symbols
        known = symbols.get(function.symbol)
        if known is None:
            self.module.add(function)
            return function
        if not self.extends or not isinstance(known, Function) or (is_definition and known.blocks):
            raise IRSyntaxError(number, f"@{function.symbol}", "a symbol defined once")
        if is_definition:
            known.take_head_of(function)
            symbols[known.symbol] = symbols.pop(known.symbol)
        return known


def _parameters(cursor: Cursor) -> tuple[list[Argument], list[str], bool]:
    """The parameter list: arguments, their names in the text ("" for none), whether `...` ends it."""
    cursor.expect("(")
    arguments: list[Argument] = []
    names: list[str] = []
    vararg = False
    while not cursor.accept(")"):
        if arguments:
            cursor.expect(",")
        if cursor.accept("..."):
            vararg = True
            continue
        type_ = cursor.type()
        attributes: list[str] = []
        while cursor.t[cursor.i] not in (",", ")") and cursor.t[cursor.i][:1] != "%":
            attributes.append(cursor.word_with_group())
        name = unquoted(cursor.next()[1:]) if cursor.t[cursor.i][:1] == "%" else ""
        arguments.append(Argument(type_, name if name and not is_number(name) else None, tuple(attributes)))
        names.append(name)
    return arguments, names, vararg


def _type_of_aliasee(cursor: Cursor) -> Type:
    """The type of an aliasee. LLVM prints none before a constant expression."""
    if cursor.at_type():
        return cursor.type()
    if cursor.next() == "getelementptr":
        while not cursor.accept("("):
            cursor.word_with_group() if cursor.t[cursor.i] == "inrange" else cursor.next()
        cursor.type()
        cursor.expect(",")
        return cursor.type()
    behind = [i for i, token in enumerate(cursor.t) if token == "to"]
    if not behind:
        raise cursor.wrong("a symbol or constant expression")
    cursor.i = behind[-1] + 1
    return cursor.type()
