# SPDX-License-Identifier: Apache-2.0
"""Random functions that others call: of numbers, recursive ones, and closures over constants."""

from __future__ import annotations

import numpy as np
from tests.fuzz.choices import Choices

from .operations import Expression, fitted
from .scope import Helper, Loop, Scope
from .statements import Lines, Statements, indented
from .values import Number, is_float

JIT = "@lw.jit(exact=True)"


def random_helper(choices: Choices, name: str, constants: tuple[Expression, ...]) -> Helper:
    kind = choices.upto(4)
    if kind == 3:
        return _recursive(choices, name)
    if kind == 4:
        return _closure(choices, name)
    return _plain(choices, name, constants)


def _plain(choices: Choices, name: str, constants: tuple[Expression, ...]) -> Helper:
    """Numbers to a number, with a branch or a loop."""
    statements = Statements(choices, fuel=3)
    parameters = tuple(_parameter(f"p{i}", choices) for i in range(1 + choices.upto(1)))
    scope = Scope((), variables=parameters, constants=constants)
    result = statements.variable(choices.pick((int, float, np.float32, np.int32)))
    lines: Lines = [f"{result.text} = {_fitted(statements, scope, result)}"]
    scope = scope.with_variable(result)
    if choices.upto(1):
        loop = Loop("step", 0, 2)
        body = statements.block(scope.deeper(loops=(loop,), loop="for", depth=2))
        lines += ["for step in range(3):", *indented(body)]
    if choices.upto(1):
        early = f"return {_fitted(statements, scope, result)}"
        lines += [f"if {statements.make.condition(scope).text}:", *indented([early])]
    lines.append(f"return {result.text}")
    return _helper(name, parameters, result, [JIT, _head(name, parameters), *indented(lines)])


def _recursive(choices: Choices, name: str) -> Helper:
    """A function that calls itself a few times."""
    n, x = Expression("n", int, 0, 6, whole=True), _parameter("x", choices)
    body = choices.pick((
        [f"return {name}(n - 1, x + 1) + {name}(n - 2, x)"],
        [f"return {name}(n - 1, x) - n"],
        [f"return 2 * {name}(n // 2, x) + n % 2"],
        [f"return {name}(n - 1, x) if n % 2 else -{name}(n - 2, x)"],
    ))  # fmt: skip
    if x.type is not int:
        x = Expression("x", int, -30, 30, whole=True)
    lines = [JIT, f"def {name}(n, x):", *indented(["if n <= 0:", "    return x", *body])]
    return _helper(name, (n, x), Expression("", int, -2000, 2000), lines)


def _closure(choices: Choices, name: str) -> Helper:
    """A function that an ordinary one makes, around a constant of its own."""
    x = Expression("x", choices.pick((int, float)), -8, 8, whole=True)
    constant = choices.pick((3, -5, 7) if x.type is int else (0.5, -2.0, 1.25))
    low, high = -8 * abs(constant) - 8, 8 * abs(constant) + 8
    result = Expression("", x.type, x.type(low), x.type(high))
    inner = [JIT, "def inner(x):", "    return scale * x + x"]
    lines = [
        f"def make_{name}(scale):",
        *indented([*inner, "", "return inner"]),
        "",
        "",
        f"{name} = make_{name}({constant})",
    ]
    return _helper(name, (x,), result, lines)


def _parameter(name: str, choices: Choices) -> Expression:
    number: Number = choices.pick((int, float, np.float32, np.int64))
    return Expression(name, number, *((-8.0, 8.0) if is_float(number) else (-30, 30)), whole=True)


def _fitted(statements: Statements, scope: Scope, result: Expression) -> str:
    return fitted(statements.make.number(scope, 2), result.type, result.low, result.high).text


def _head(name: str, parameters: tuple[Expression, ...]) -> str:
    return f"def {name}({', '.join(parameter.text for parameter in parameters)}):"


def _helper(name: str, parameters: tuple[Expression, ...], result: Expression, lines: Lines) -> Helper:
    return Helper(name, parameters, result, tuple(lines))
