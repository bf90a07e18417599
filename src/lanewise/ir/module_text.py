# SPDX-License-Identifier: Apache-2.0
"""The text of a module, cut into functions, so that a part of it can be read in the time that the part takes.

A program of many kernels is read once per kernel. To read the heads of all functions and all debug information each
time takes longer than all the rest, as the square of their number. Here the text is gone through once, to find where
each function and each metadata node lies; after that, a part takes what its own lines take.
"""

import re
from array import array
from collections.abc import Collection, Iterable
from typing import Final, final

from lanewise.ir.lexer import IRSyntaxError
from lanewise.ir.module import Module
from lanewise.ir.names import symbols_in
from lanewise.ir.reader import read_module
from lanewise.log import step

_END: Final = re.compile(r"^}[^\S\n]*$", re.MULTILINE)
_NODES: Final = re.compile(r"![0-9]+")
_DEBUG_NODE: Final = re.compile(r"(?:distinct )?!DI").match


@final
class ModuleText:
    """A module as textual LLVM 22 IR, of which parts are read.

    Every part has all variables and aliases, named metadata, what these refer to, and all nodes of metadata that refer
    to no other and aren't debug information: `says_how_to_unroll` of `passes.unroll_private_arrays` looks for some of
    them in the whole program. Beside the text, which is that of the caller, it keeps 125 bytes per function and node.
    """

    def __init__(self, text: str) -> None:
        self._text: Final = text.replace("\r\n", "\n")
        self._starts: Final = array("Q")
        """Offsets of pieces: a function, a metadata node, or lines between those. Each ends where the next starts."""
        self._others: Final[list[int]] = []
        """Numbers of pieces that are neither a function nor a node."""
        self._named: Final[dict[str, int]] = {}
        """Numbers of the pieces that are functions and nodes, by name."""
        everywhere = self._cut()
        lines = (line for number in self._others for line in self._piece(number).split("\n"))
        everywhere += [name for line in lines if line[:1] == "@" for name in symbols_in(line)]
        self._always: Final = self._reached(everywhere, set())

    def read(self, roots: Collection[str]) -> Module:
        """The module as `read_module(text, roots)` reads it, but without functions and metadata that nothing refers to.
        IRSyntaxError as from there."""
        kept = self._reached(roots, set(self._always))
        numbers = sorted([*self._others, *(self._named[name] for name in kept)])
        try:
            return read_module("".join(map(self._piece, numbers)), roots)
        except IRSyntaxError:
            with step("read all of a module, for an error in a part of it"):  # which has the number of the line
                return read_module(self._text, roots)

    def _cut(self) -> list[str]:
        """Find the pieces; returns the names of metadata that is part of every part."""
        text, at, is_between = self._text, 0, False
        everywhere: list[str] = []
        while at < len(text):
            start, at = at, text.find("\n", at) + 1 or len(text)
            name = ""
            if text.startswith(("define", "declare"), start):
                name = next(iter(symbols_in(text[start:at])), "")
                if text.startswith("define", start):
                    end = _END.search(text, at)
                    if end is None:  # an error in every part, too
                        name = ""
                    else:
                        at = end.end() + 1
            elif text[start] == "!":
                line = text[start:at]
                name = line.partition(" ")[0]
                if _is_everywhere(name, line):
                    everywhere.append(name)
            is_named = bool(name) and name not in self._named  # a second one is read with it, for its error
            if is_named or not is_between:
                self._starts.append(start)
            number = len(self._starts) - 1
            if is_named:
                self._named[name] = number
            elif not is_between:
                self._others.append(number)
            is_between = not is_named
        self._starts.append(len(text))
        return everywhere

    def _piece(self, number: int) -> str:
        return self._text[self._starts[number] : self._starts[number + 1]]

    def _reached(self, names: Iterable[str], found: set[str]) -> set[str]:
        """`found`, and all functions and nodes that `names` refer to, directly or through others, and they themselves.
        What `found` refers to is in it."""
        work = list(names)
        while work:
            name = work.pop()
            number = self._named.get(name)
            if number is not None and name not in found:
                found.add(name)
                piece = self._piece(number)
                work += symbols_in(piece)
                work += _NODES.findall(piece)
        return found


def _is_everywhere(name: str, line: str) -> bool:
    """True for metadata that is part of every part: that with a name, and nodes that hold words and numbers."""
    body = line.partition(" = ")[2]
    return not _NODES.fullmatch(name) or not (_NODES.search(body) or _DEBUG_NODE(body))
