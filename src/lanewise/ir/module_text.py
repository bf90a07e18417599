# SPDX-License-Identifier: Apache-2.0
"""The text of a module, cut into functions, so that a part of it can be read in the time that the part takes.

A program of many kernels is read once per kernel. To read the heads of all functions and all debug information each
time takes longer than all the rest, as the square of their number. Here they are found once, by their names.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple, final

from lanewise.ir.lexer import IRSyntaxError
from lanewise.ir.module import Module
from lanewise.ir.names import unquoted
from lanewise.ir.reader import read_module

_SYMBOL: Final = re.compile(r'@("[^"]*"|[-\w$.]+)')
_NODE: Final = re.compile(r"![0-9]+")
_DEBUG_NODE: Final = re.compile(r"(?:distinct )?!DI").match


class _Piece(NamedTuple):
    """Lines of the text: a function or a metadata node of that `name`, or others, whose name is ""."""

    name: str
    text: str


@final
class ModuleText:
    """A module as textual LLVM 22 IR, of which parts are read.

    Every part has all variables and aliases, named metadata, what these refer to, and what loops are told, which is of
    interest for the whole program.
    """

    def __init__(self, text: str) -> None:
        self._text: Final = text
        self._pieces: Final = list(_pieces(text))
        variables = [line for name, piece in self._pieces if not name for line in piece.split("\n") if line[:1] == "@"]
        everywhere = [piece.name for piece in self._pieces if _is_everywhere(piece)]
        self._named: Final = {name: _names(piece) for name, piece in self._pieces if name}
        """The names in the text of each name."""
        self._named.update((_defined(line), _names(line)) for line in variables)
        self._always: Final = self._reached([*everywhere, *map(_defined, variables)])

    def read(self, roots: Collection[str]) -> Module:
        """The module as `read_module(text, roots)` reads it, but without functions and metadata that nothing refers to.
        IRSyntaxError as from there."""
        kept = self._always | self._reached(roots)
        part = "".join(text for name, text in self._pieces if not name or name in kept)
        try:
            return read_module(part, roots)
        except IRSyntaxError:
            return read_module(self._text, roots)  # its error has the number of the line

    def _reached(self, names: Iterable[str]) -> set[str]:
        """All that `names` refer to, directly or through others, and they themselves."""
        found: set[str] = set()
        work = list(names)
        while work:
            name = work.pop()
            if name not in found:
                found.add(name)
                work += self._named.get(name, ())
        return found


def _pieces(text: str) -> Iterator[_Piece]:
    others: list[str] = []
    body: list[str] = []
    for line in (f"{line}\n" for line in text.replace("\r\n", "\n").split("\n")):
        if body or line.startswith("define"):
            body.append(line)
            if line.rstrip() != "}":
                continue
            piece = _Piece(_defined(body[0]), "".join(body))
            body = []
        elif line.startswith("declare"):
            piece = _Piece(_defined(line), line)
        elif line.startswith("!"):
            piece = _Piece(line.partition(" ")[0], line)
        else:
            others.append(line)
            continue
        yield _Piece("", "".join(others))
        yield piece
        others = []
    yield _Piece("", "".join([*others, *body]))


def _is_everywhere(piece: _Piece) -> bool:
    """True for metadata that is part of every part: that with a name, and nodes that hold words and numbers."""
    name, text = piece
    if not name.startswith("!"):
        return False
    body = text.partition(" = ")[2]
    return not _NODE.fullmatch(name) or not (_NODE.search(body) or _DEBUG_NODE(body))


def _names(text: str) -> frozenset[str]:
    return frozenset([*map(unquoted, _SYMBOL.findall(text)), *_NODE.findall(text)])


def _defined(line: str) -> str:
    """The symbol that a function or variable defines: the first that it names; "" if it isn't IR."""
    match = _SYMBOL.search(line)
    return unquoted(match[1]) if match else ""
