# SPDX-License-Identifier: Apache-2.0
"""A driver followed statement by statement: which types come to its regions, before it is called.

Both arms of a condition are followed, and the body of a loop until nothing new is known. A variable that may have one
type or another is unknown from there on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, Final, final

from lanewise.ahead.samples import EXTENT, UNKNOWN, Samples, kind_of_sample

_MOST_ROUNDS: Final = 4

Names = dict[str, Any]
"""Samples of variables."""


@final
class FollowedDriver:
    """Follows a driver. `unset`: the name of the object for an output without a value."""

    def __init__(self, samples: Samples, unset: str, checks: str) -> None:
        self._samples: Final = samples
        self._unset: Final = unset
        self._checks: Final = checks

    def follow(self, body: Sequence[ast.stmt]) -> bool:
        """Follow statements. True if the last one that is reached leaves the function or the loop."""
        return any(self._statement(each) for each in body)

    def _statement(self, node: ast.stmt) -> bool:
        value = self._samples.value
        match node:
            case ast.Assign(value=ast.Call(func=ast.Subscript(value=ast.Name(id=self._checks)))):
                pass  # the check of an argument, which is of its type then
            case ast.Assign(targets=targets, value=given):
                found = value(given)
                for target in targets:
                    self._bind(target, found)
            case ast.AnnAssign(target=target, value=ast.expr() as given):
                self._bind(target, value(given))
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=given):
                before = self._samples.names.get(name, UNKNOWN)
                if not hasattr(before, "shape") or before.ndim == 0:  # an array stays what it is
                    self._bind(target, value(ast.BinOp(ast.Name(name, ast.Load()), op, given)))
            case ast.Expr(value=given):
                value(given)
            case ast.Return(value=given):
                if given is not None:
                    value(given)
                return True
            case ast.Raise() | ast.Break() | ast.Continue():
                return True
            case ast.If(test=test, body=body, orelse=other):
                return self._if(test, body, other)
            case ast.For(target=target, iter=over, body=body, orelse=other):
                self._loop(lambda: self._bind(target, self._item(over)), body)
                return self.follow(other)
            case ast.While(body=body, orelse=other):
                self._loop(lambda: None, body)
                return self.follow(other)
            case ast.With(body=body):
                self._forget([item.optional_vars for item in node.items if item.optional_vars is not None])
                return self.follow(body)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                self._arms([[*body, *other], *([*body, *handler.body] for handler in handlers)])
                return self.follow(last)
            case _:
                self._forget([node])
        return False

    def _if(self, test: ast.expr, body: Sequence[ast.stmt], other: Sequence[ast.stmt]) -> bool:
        match test:
            case ast.Compare(comparators=[ast.Name(id=self._unset)]):
                return self.follow(body)  # a serial loop's output, which most often has a value
            case _:
                self._samples.value(test)
                return self._arms([body, other])

    def _arms(self, arms: Sequence[Sequence[ast.stmt]]) -> bool:
        """Follow each arm from here. True if all leave."""
        start, ends = self._samples.names, list[Names]()
        for arm in arms:
            self._samples.names = dict(start)
            if not self.follow(arm):
                ends.append(self._samples.names)
        self._samples.names = _joined(ends) if ends else start
        return not ends

    def _loop(self, bind: Callable[[], None], body: Sequence[ast.stmt]) -> None:
        for _ in range(_MOST_ROUNDS):
            before = dict(self._samples.names)
            bind()
            self.follow(body)
            self._samples.names = _joined([before, self._samples.names])
            if _kinds(self._samples.names) == _kinds(before):
                return

    def _item(self, over: ast.expr) -> Any:
        """A value of a loop's variable."""
        found = self._samples.value(over.func) if isinstance(over, ast.Call) else UNKNOWN
        if found is range or getattr(found, "__lanewise_range__", False):
            return EXTENT
        return UNKNOWN

    def _bind(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self._samples.names[name] = value
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                known = isinstance(value, tuple | list) and len(value) == len(elements)  # pyright: ignore[reportUnknownArgumentType] : of anything
                for place, each in enumerate(elements):
                    self._bind(each, value[place] if known else UNKNOWN)
            case ast.Starred(value=inner):
                self._bind(inner, UNKNOWN)
            case _:
                pass  # an element or an attribute: no variable

    def _forget(self, nodes: Sequence[ast.AST]) -> None:
        """Take all variables that statements may assign to as unknown."""
        for part in (part for node in nodes for part in ast.walk(node)):
            match part:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    self._samples.names[name] = UNKNOWN
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    self._samples.names[name] = UNKNOWN
                case ast.alias(name=name, asname=other):
                    self._samples.names[other or name.partition(".")[0]] = UNKNOWN
                case _:
                    pass


def _joined(ends: Sequence[Names]) -> Names:
    """The variables after one of several paths."""
    made: Names = {}
    for names in ends:
        for name, value in names.items():
            if name in made and kind_of_sample(made[name]) != kind_of_sample(value):
                made[name] = UNKNOWN
            else:
                made.setdefault(name, value)
    return made


def _kinds(names: Names) -> dict[str, object]:
    return {name: kind_of_sample(value) for name, value in names.items()}
