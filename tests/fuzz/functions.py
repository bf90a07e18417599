# SPDX-License-Identifier: Apache-2.0
"""Functions of a random kernel's source: some hold barriers, some are called in expressions; templates, recursion,
tables of function pointers."""

from typing import Final

from .arithmetic import NUMBERS, UNSIGNED, converted
from .choices import Choices
from .cuda import CUDA
from .scope import Array, Function, Scope, Target, Variable
from .writer import Lines, Writer, indented

INLINED: Final = ("__forceinline__", "__noinline__", "inline", "")

_GIVEN: Final = "const unsigned *in, const float *fin, int n, int m, unsigned item"
_GIVEN_ARGUMENTS: Final = ", in, fin, n, m, item"
_GROUP: Final = f"{_GIVEN}, unsigned group, int &phase, unsigned long long *own, unsigned *totals, unsigned *words"
_GROUP_ARGUMENTS: Final = f"{_GIVEN_ARGUMENTS}, group, phase, own, totals, words"


def barrier_functions(
    choices: Choices, exchange: Array, known: tuple[Function, ...], scope: Scope
) -> tuple[tuple[Function, ...], Lines]:
    """Up to two functions with barriers in them; the later ones may call the earlier. `scope`: what all functions
    may name."""
    helpers: tuple[Function, ...] = ()
    lines: Lines = []
    for number in range(choices.upto(2)):
        type_ = choices.pick(NUMBERS)
        helper = Function(f"helper{number}", type_, (type_,), _GROUP_ARGUMENTS)
        inside = Scope(
            together=True,
            variables=(Variable("x", type_),),
            functions=known,
            helpers=helpers,
            uniforms=("n", "m", "u"),
            assignable=("u",),
            targets=(Target("return x;", 0),),
            streams=("item", "(group * ITEMS + item)"),
            outputs=True,
            prints=scope.prints,
            faults=scope.faults,
            depth=1,
        )
        with choices.span():
            body = Writer(choices, CUDA, exchange, 8).block(inside)
        lines += [
            f"__device__ {choices.pick(INLINED)} {type_.name} {helper.name}({type_.name} x, int u, {_GROUP}) {{",
            *indented([*body, "return x;"]),
            "}",
        ]
        helpers = (*helpers, helper)
    return helpers, lines


def plain_functions(choices: Choices, exchange: Array) -> tuple[tuple[Function, ...], Lines]:
    """Up to three functions of a work-item alone, with loops and early returns; the later ones may call the earlier."""
    functions: tuple[Function, ...] = ()
    lines: Lines = []
    for number in range(choices.upto(3)):
        with choices.span():
            made = choices.pick((_plain, _plain, _template, _recursive, _table))
            function, text = made(choices, exchange, number, functions)
        functions = (*functions, function)
        lines += text
    return functions, lines


def _body(
    choices: Choices, exchange: Array, variables: tuple[Variable, ...], known: tuple[Function, ...], fuel: int = 6
) -> Lines:
    scope = Scope(
        together=False,
        variables=variables,
        uniforms=("n", "m"),
        functions=known,
        streams=("item",),
        escapes=(f"return {variables[0].name};",),
        depth=2,
        weight=9,
    )
    return Writer(choices, CUDA, exchange, fuel).block(scope)


def _plain(choices: Choices, exchange: Array, number: int, known: tuple[Function, ...]) -> tuple[Function, Lines]:
    """By value, or by reference to a temporary."""
    result, other = choices.pick(NUMBERS), choices.pick(NUMBERS)
    function = Function(f"plain{number}", result, (result, other), _GIVEN_ARGUMENTS)
    passing = choices.pick(("", "const ", "&&"))
    variables = (Variable("x", result), *((Variable("y", other),) if passing != "const " else ()))
    second = f"const {other.name} &y" if passing == "const " else f"{other.name} {passing}y"
    body = _body(choices, exchange, variables, known)
    if passing == "&&":  # a reference to what a call gives
        function = function._replace(parameters=(result,), arguments=f", ({other.name})n{_GIVEN_ARGUMENTS}")
    return function, [
        f"__device__ {choices.pick(INLINED)} {result.name} {function.name}({result.name} x, {second}, {_GIVEN}) {{",
        *indented([*body, f"return x = {converted('y', other, result)};"]),
        "}",
    ]


def _template(choices: Choices, exchange: Array, number: int, known: tuple[Function, ...]) -> tuple[Function, Lines]:
    """With a constant and a type as arguments."""
    result = choices.pick(NUMBERS)
    # The type is named: an argument of a bit field's type would stand for another.
    function = Function(f"plain{number}<{choices.upto(3)}, {result.name}>", result, (result,), _GIVEN_ARGUMENTS)
    body = _body(choices, exchange, (Variable("x", result),), known)
    # A sum that wraps, as those of signed numbers don't by themselves; of conditions, the second operand.
    raised = result.operations[0].format(a="x", b=f"({result.name})1", q="true")
    return function, [
        f"template <int N, typename T> __device__ {choices.pick(INLINED)} {result.name}",
        f"plain{number}(T x, {_GIVEN}) {{",
        *indented([f"for (int i = 0; i < N; ++i) x = {raised};", *body, "return x;"]),
        "}",
    ]


def _recursive(choices: Choices, exchange: Array, number: int, known: tuple[Function, ...]) -> tuple[Function, Lines]:
    """Calls itself up to three times in a row."""
    result = choices.pick(NUMBERS)
    name = f"plain{number}"
    function = Function(name, result, (result, UNSIGNED), _GIVEN_ARGUMENTS)
    body = _body(choices, exchange, (Variable("x", result), Variable("y", UNSIGNED)), known, 4)
    again = f"{name}(x, steps - 1{_GIVEN_ARGUMENTS})"
    total = result.operations[0].format(a="x", b=again, q=again)
    return function, [
        f"__device__ {choices.pick(INLINED)} {result.name} {name}({result.name} x, unsigned steps, {_GIVEN}) {{",
        *indented(
            [
                "steps &= 3;",
                "unsigned y = steps;",
                *body,
                f"return steps == 0 ? x : {total};",
            ]
        ),
        "}",
    ]


def _table(choices: Choices, exchange: Array, number: int, known: tuple[Function, ...]) -> tuple[Function, Lines]:
    """Two functions, of which a table tells which to call."""
    result = choices.pick(NUMBERS)
    lines: Lines = []
    for place in "ab":
        body = _body(choices, exchange, (Variable("x", result),), known, 4)
        lines += [
            f"__device__ {choices.pick(INLINED)} {result.name} plain{number}{place}({result.name} x, {_GIVEN}) {{",
            *indented([*body, "return x;"]),
            "}",
        ]
    type_ = f"{result.name} (*)({result.name}, const unsigned *, const float *, int, int, unsigned)"
    pointer = f"Pointer{number}"
    lines += [
        f"using {pointer} = {type_};",
        f"__device__ {choices.pick(('', 'const '))}{pointer} pointers{number}[2] = {{plain{number}a, plain{number}b}};",
        f"__device__ {result.name} plain{number}({result.name} x, unsigned which, {_GIVEN}) {{",
        f"    return pointers{number}[which & 1](x{_GIVEN_ARGUMENTS});",
        "}",
    ]
    return Function(f"plain{number}", result, (result, UNSIGNED), _GIVEN_ARGUMENTS), lines
