# SPDX-License-Identifier: Apache-2.0
"""Names that statements read and assign to."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lanewise.frontend.python.trees import walk


class Uses(NamedTuple):
    """Names in order of their first use. `exposed` may be read before the statements have assigned to them;
    `certain` are assigned to on every path to the end."""

    exposed: tuple[str, ...]
    assigned: tuple[str, ...]
    certain: frozenset[str]


def uses(body: Sequence[ast.stmt]) -> Uses:
    """The names that statements use."""
    walk = _Walk()
    certain = walk.block(body, frozenset())
    return Uses(tuple(walk.exposed), tuple(walk.assigned), certain)


def reads(node: ast.AST | Iterable[ast.AST]) -> set[str]:
    """All names that are read within."""
    return {part.id for part in _parts(node) if type(part) is ast.Name and type(part.ctx) is ast.Load}


def assigned(node: ast.AST | Iterable[ast.AST]) -> set[str]:
    """All names that are assigned to within."""
    return {part.id for part in _parts(node) if type(part) is ast.Name and type(part.ctx) is ast.Store}


def _parts(node: ast.AST | Iterable[ast.AST]) -> Iterator[ast.AST]:
    if isinstance(node, ast.AST):
        yield from walk(node)
    else:
        for each in node:
            yield from walk(each)


class _Walk:
    """A walk along the paths of control flow. After a jump all names count as assigned: the path ends there."""

    def __init__(self) -> None:
        self.exposed: dict[str, None] = {}
        self.assigned: dict[str, None] = {}

    def block(self, body: Sequence[ast.stmt], known: frozenset[str]) -> frozenset[str]:
        for statement in body:
            known = self._statement(statement, known)
        return known

    def _statement(self, node: ast.stmt, known: frozenset[str]) -> frozenset[str]:
        match node:
            case ast.Assign():
                self._read(node.value, known)
                for target in node.targets:
                    known = self._target(target, known)
            case ast.AugAssign():
                if isinstance(node.target, ast.Name) and node.target.id not in known:
                    self.exposed.setdefault(node.target.id)
                self._read(node.value, known)
                known = self._target(node.target, known)
            case ast.AnnAssign():
                if node.value is not None:
                    self._read(node.value, known)
                    known = self._target(node.target, known)
            case ast.If():
                self._read(node.test, known)
                known = self.block(node.body, known) & self.block(node.orelse, known)
            case ast.For():
                self._read(node.iter, known)
                self.block(node.body, self._target(node.target, known))
            case ast.While():
                self._read(node.test, known)
                self.block(node.body, known)
            case ast.Return():
                if node.value is not None:
                    self._read(node.value, known)
                return _Everything()
            case ast.Break() | ast.Continue():
                return _Everything()
            case _:
                self._read(node, known)
                for name in assigned(node):
                    self.assigned.setdefault(name)
        return known

    def _target(self, target: ast.expr, known: frozenset[str]) -> frozenset[str]:
        if isinstance(target, ast.Name):
            names = {target.id}
        else:
            self._read(target, known)
            names = assigned(target)
        for name in sorted(names):
            self.assigned.setdefault(name)
        return known if isinstance(known, _Everything) else known | names

    def _read(self, node: ast.AST, known: frozenset[str]) -> None:
        for part in walk(node):
            if type(part) is ast.Name and type(part.ctx) is ast.Load and part.id not in known:
                self.exposed.setdefault(part.id)


class _Everything(frozenset[str]):
    """The names known after a jump: all."""

    def __contains__(self, name: object) -> bool:
        return True

    def __and__(self, other: frozenset[str]) -> frozenset[str]:  # pyright: ignore[reportIncompatibleMethodOverride] : of this use only
        return other

    def __rand__(self, other: frozenset[str]) -> frozenset[str]:
        return other
