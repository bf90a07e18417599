# SPDX-License-Identifier: Apache-2.0
"""Drops what no kernel reaches from the text of a module, before anything else reads it.

Clang emits each function of a program that other files could call. No other file can call those of a kernel's program,
and reading 200 of them in Python took 26 s.

Before
    define ptx_kernel void @k(ptr %p) {
      call void @used(ptr %p)
      ret void
    }
    define void @used(ptr %p) {
      ret void
    }
    define void @unused(ptr %p) {
      call void @only_by_unused(ptr %p)
      ret void
    }
    declare void @only_by_unused(ptr)

After
    define ptx_kernel void @k(ptr %p) {
      call void @used(ptr %p)
      ret void
    }
    define void @used(ptr %p) {
      ret void
    }

Reached are kernels, whatever the host could name, and all symbols in the text of what is reached: calls, function
pointers, initialisers with tables of functions, virtual tables. Variables stay, but for private and inline ones (string
literals, virtual tables) that nothing reached refers to. A module without kernels stays whole: it is a library.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_KERNEL: Final = " ptx_kernel "
_NAME: Final = r'(?:"[^"\n]*"|[-\w$.]+)'
_SYMBOLS: Final = re.compile(f"@({_NAME})").findall
_HEAD: Final = re.compile(rf"define [^\n@]*@({_NAME})\(")
_ATTRIBUTES: Final = "; Function Attrs: "
_LINE: Final = re.compile(rf"^(?:declare [^\n@]*@({_NAME})\(|@({_NAME}) = )[^\n]*\n?", re.MULTILINE)
_DROPPED_VARIABLE: Final = re.compile(r" (?:private|linkonce_odr|linkonce) ")
_METADATA: Final = re.compile(r"^![^\n]*@[^\n]*", re.MULTILINE).findall


class _Entity(NamedTuple):
    """A definition or declaration, and its place in the text."""

    name: str
    start: int
    end: int
    is_root: bool


def without_unreached(text: str) -> str:
    """The text of a module, as clang prints it, without the functions that no kernel reaches and what only they refer
    to. Their debug information stays, for `with_nodes_in_order` to drop."""
    if _KERNEL not in text:
        return text
    functions = list(_functions(text))
    entities = {entity.name: entity for entity in (*functions, *_lines(text, functions))}
    reached = _reached(text, entities)
    cut = sorted(entity[1:3] for name, entity in entities.items() if name not in reached)
    if not cut:
        return text
    kept: list[str] = []
    at = 0
    for start, end in cut:
        kept.append(text[at:start])
        at = end
    return "".join(kept) + text[at:]


def _functions(text: str) -> Iterator[_Entity]:
    """All definitions of functions. A search for fixed text is ten times faster than an expression over their lines."""
    at = 0 if text.startswith("define ") else _next_function(text, 0)
    while at >= 0:
        head = _HEAD.match(text, at)
        end = text.find("\n}\n", at)
        if head is None or end < 0:
            return
        comment = text.rfind("\n", 0, max(at - 1, 0)) + 1
        start = comment if text.startswith(_ATTRIBUTES, comment) else at
        yield _Entity(head[1], start, end + 3, _KERNEL in head[0])
        at = _next_function(text, end)


def _next_function(text: str, at: int) -> int:
    """The next place where a definition of a function starts a line; -1 if there is none."""
    found = text.find("\ndefine ", at)
    return found + 1 if found >= 0 else -1


def _lines(text: str, functions: list[_Entity]) -> Iterator[_Entity]:
    """Declarations and variables, which are lines between functions."""
    at = 0
    for start, end in [*((function.start, function.end) for function in functions), (len(text), len(text))]:
        for match in _LINE.finditer(text, at, start):
            is_root = match[1] is None and not _DROPPED_VARIABLE.search(match[0])
            yield _Entity(match[1] or match[2], match.start(), match.end(), is_root)
        at = end


def _reached(text: str, entities: dict[str, _Entity]) -> set[str]:
    pending = [name for name, entity in entities.items() if entity.is_root]
    metadata = text.find("\n!")
    if text.find("@", metadata) >= 0:
        pending += [symbol for line in _METADATA(text, metadata) for symbol in _SYMBOLS(line)]
    found: set[str] = set()
    while pending:
        name = pending.pop()
        entity = entities.get(name)
        if entity is not None and name not in found:
            found.add(name)
            pending += _SYMBOLS(text, entity.start, entity.end)
    return found
