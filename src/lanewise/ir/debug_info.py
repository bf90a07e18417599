# SPDX-License-Identifier: Apache-2.0
"""Debug information: nodes of a module's metadata, read when asked for.

Source: LLVM, "Source Level Debugging with LLVM"; Language Reference, "Specialized Metadata Nodes".
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, final

from lanewise.ir.function import Function

# Patterns are compiled when they are first used: a launch from the cache uses none, and they take 3 ms.
_NODE: Final = r"(?s)(?:distinct )?!(DI\w+)\((.*)\)$"
_TUPLE: Final = r"(?s)(?:distinct )?!\{(.*)\}$"
_ESCAPE: Final = rb"\\([0-9A-Fa-f]{2})"
_EMISSION: Final = r"\bemissionKind: (?:FullDebug|LineTablesOnly)\b"
_DIRECTORY: Final = r'\bdirectory: "[^"]*"'
_FIELD: Final = r'(\w+): ("[^"]*"|!DI\w+\([^()]*\)|[^,]+)'


POSITIONS_WANTED: Final = "!lanewise.debug"
"""Named metadata of a module that was compiled for debugging: failures are to name their line of the source."""


LINES_WANTED: Final = "!lanewise.lines"
"""Named metadata of a module whose PTX and assembly are to name lines of the source."""

UNITS: Final = "!llvm.dbg.cu"
"""Named metadata: the compile units. Without them, LLVM has no debug information."""


class Location(NamedTuple):
    """A place in the source. `column` is 0 if it is unknown."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


class MetadataNode(NamedTuple):
    """A specialised node: `kind` as `DISubprogram`, fields as text unless they are null, strings without quotes."""

    kind: str
    fields: Mapping[str, str]

    def get(self, field: str) -> str:
        """A field's text, "" if it is absent or null."""
        return self.fields.get(field, "")

    def number(self, field: str) -> int:
        text = self.fields.get(field, "0")
        return int(text) if text.lstrip("-").isdigit() else 0


def directives_only(ir_text: str) -> str:
    """The module's text, changed so that code generation writes `.loc` directives and no sections of debug information,
    with files as the compiler was given them, wherever it ran."""
    return re.sub(_DIRECTORY, 'directory: ""', re.sub(_EMISSION, "emissionKind: DebugDirectivesOnly", ir_text))


@final
class DebugInfo:
    """The nodes of `metadata` (`Module.metadata`: "!12" -> its text)."""

    def __init__(self, metadata: Mapping[str, str]) -> None:
        self._metadata: Final = metadata
        self._nodes: Final[dict[str, MetadataNode | None]] = {}
        self._parameters: dict[str, dict[int, str]] | None = None

    def node(self, name: str) -> MetadataNode | None:
        """The specialised node `!12`; None if it is absent or of another kind."""
        if name not in self._nodes:
            match = re.match(_NODE, self._metadata.get(name, ""))
            self._nodes[name] = None if match is None else MetadataNode(match[1], _fields(match[2]))
        return self._nodes[name]

    def elements(self, name: str) -> list[str]:
        """Names of the nodes in the tuple `!12`; "" for a null."""
        match = re.match(_TUPLE, self._metadata.get(name, ""))
        if match is None or not match[1]:
            return []
        return ["" if e.strip() == "null" else e.strip() for e in match[1].split(",")]

    def of_kind(self, kind: str) -> Iterator[tuple[str, MetadataNode]]:
        """All nodes of a kind, with their names."""
        for name, text in self._metadata.items():
            if f"!{kind}(" in text[: len(kind) + 12]:
                node = self.node(name)
                if node is not None:
                    yield name, node

    def parameter_names(self, program: str) -> Mapping[int, str]:
        """Names of the parameters of the DISubprogram `program` by position, from 1."""
        if self._parameters is None:
            self._parameters = {}
            for _, variable in self.of_kind("DILocalVariable"):
                if variable.number("arg"):
                    names = self._parameters.setdefault(variable.get("scope"), {})
                    names.setdefault(variable.number("arg"), variable.get("name"))
        return self._parameters.get(program, {})

    def function_names(self, functions: Iterable[Function]) -> dict[str, str]:
        """Name of each of `functions` in the source, with namespaces and classes, by symbol, if it is known."""
        names: dict[str, str] = {}
        for function in functions:
            node = self.node(dict(function.metadata).get("!dbg", ""))
            if node is not None:
                names[function.symbol] = self.qualified_name(node)
        return names

    def qualified_name(self, node: MetadataNode) -> str:
        """`ns::Shape::area` of a function or type. The anonymous namespace isn't written."""
        parts = [node.get("name")]
        scope = self.node(node.get("scope"))
        while scope is not None and scope.kind in ("DINamespace", "DICompositeType", "DISubprogram"):
            parts.append(scope.get("name"))
            scope = self.node(scope.get("scope"))
        return "::".join(part for part in reversed(parts) if part)

    def location(self, name: str) -> Location | None:
        """The place in the source that the DILocation `name` describes: the innermost one, also for inlined code."""
        node = self.node(name)
        if node is None or node.kind != "DILocation":
            return None
        return Location(self.file(node.get("scope")), node.number("line"), node.number("column"))

    def file(self, scope: str) -> str:
        """Name of the file that a scope is in, as the compiler was given it."""
        while scope:
            node = self.node(scope)
            if node is None:
                break
            if node.kind == "DIFile":
                return node.get("filename")
            scope = node.get("file") or node.get("scope")
        return "<unknown>"


def _fields(text: str) -> dict[str, str]:
    found = ((key, value) for key, value in re.findall(_FIELD, text) if value.strip() != "null")  # `"null"` is a name
    return {key: _string(value) if value[0] == '"' else value.strip() for key, value in found}


def _string(text: str) -> str:
    """The text between the quotes, whose escapes are bytes of UTF-8: a backslash and two hexadecimal digits."""
    if "\\" not in text:
        return text[1:-1]
    data = re.sub(_ESCAPE, lambda match: bytes([int(match[1], 16)]), text[1:-1].encode())
    return data.decode(errors="replace")
