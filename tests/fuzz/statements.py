# SPDX-License-Identifier: Apache-2.0
"""Random statements as lines of text. They keep what `scope.py` says, so kernels are free of races, and every
barrier is reached by all live work-items or by none."""

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from .arithmetic import INT, UNSIGNED_LONG, converted
from .expressions import COUNTERS, Expressions
from .scope import Array, Counters, Scope, Variable

Lines = list[str]
Statement = Callable[[Scope], Lines]

MAX_DEPTH: Final = 4
MAX_WEIGHT: Final = 27
"""Three nested loops of three rounds: the reference device takes about a microsecond an instruction."""

PRIVATE_ELEMENTS: Final = 4
"""Elements of a private array."""


class Statements:
    """Draws statements for one function of a kernel's source.

    `exchange` is a pair of shared arrays of which each use takes the other, so that one barrier a use suffices;
    `helpers` are functions with barriers that may be called: name and result.
    """

    def __init__(self, draw: st.DrawFn, helpers: tuple[Variable, ...], exchange: Array, fuel: int) -> None:
        self._draw: Final = draw
        self._make: Final = Expressions(draw)
        self._helpers: Final = helpers
        self._exchange: Final = exchange
        self._fuel = fuel
        self._names = 0

    def block(self, scope: Scope) -> Lines:
        """Some statements, in braces."""
        lines: Lines = []
        length = 6 if scope.depth == 0 else 3
        while self._fuel > 0 and self._draw(st.integers(0, length)):
            self._fuel -= 1
            made, scope = self._declaration_or_statement(scope)
            lines += made
        return braced(lines)

    def _declaration_or_statement(self, scope: Scope) -> tuple[Lines, Scope]:
        if self._draw(st.integers(0, 7)) == 7:
            return self._declaration(scope)
        return self._statement(scope), scope

    def _statement(self, scope: Scope) -> Lines:
        kinds: list[Statement] = [self._assign, self._assign, self._step]
        if scope.together:
            kinds += [self._barrier, self._uniform_assign, self._swap, self._swap, self._vote]
        if scope.arrays:
            kinds += [self._own_slot, self._own_slot]
        if scope.counters:
            kinds += [self._count]
        kinds += [self._output]
        if scope.escapes or scope.targets:
            kinds += [self._jump, self._jump]
        if scope.together and self._helpers:
            kinds += [self._help]
        if scope.together and scope.arrays:
            kinds += [self._scan]
        if scope.depth < MAX_DEPTH:
            kinds += [self._if, self._if, self._skip, self._switch]
            if scope.together and (scope.arrays or scope.counters):
                kinds += [self._share, self._share]
            if scope.weight * 3 <= MAX_WEIGHT:
                kinds += [self._loop, self._loop]
                if scope.together and scope.escapes:
                    kinds += [self._fade]
        return self._draw(st.sampled_from(kinds))(scope)

    def name(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}{self._names}"

    # -- private values ------------------------------------------------------------------------------------------

    def _declaration(self, scope: Scope) -> tuple[Lines, Scope]:
        """A new variable; a private array is known by one element, at an index that differs each time."""
        make = self._make
        number = make.number()
        name = self.name("v")
        if make.upto(3):
            return [f"{number.name} {name} = {make.value(scope, number)};"], scope.knowing(Variable(name, number))
        values = ", ".join(make.value(scope, number, 0) for _ in range(PRIVATE_ELEMENTS))
        element = f"{name}[{make.index(scope, PRIVATE_ELEMENTS)}]"
        return [f"{number.name} {name}[{PRIVATE_ELEMENTS}] = {{{values}}};"], scope.knowing(Variable(element, number))

    def _assign(self, scope: Scope) -> Lines:
        variable = self._make.pick(scope.variables)
        return [f"{variable.name} = {self._make.value(scope, variable.number)};"]

    def _step(self, scope: Scope) -> Lines:
        """A variable from itself, so that its history counts."""
        variable = self._make.pick(scope.variables)
        number = variable.number
        template = self._make.pick(number.operations[:2])
        value = template.format(a=variable.name, b=self._make.value(scope, number, 1))
        return [f"{variable.name} = {value};"]

    def _output(self, scope: Scope) -> Lines:
        make = self._make
        kind = make.pick(("own[{i}] = {v};", "own[{i}] ^= {v};", "atomicAdd(&totals[{i}], (unsigned){v});"))
        number = self._make.number()
        value = converted(make.value(scope, number, 1), number, UNSIGNED_LONG)
        return [kind.format(i=make.index(scope, COUNTERS, 0), v=value)]

    # -- the group ---------------------------------------------------------------------------------------------------

    def _barrier(self, scope: Scope) -> Lines:
        return ["__syncthreads();"]

    def _uniform_assign(self, scope: Scope) -> Lines:
        if not scope.assignable:
            return self._barrier(scope)
        return [f"{self._make.pick(scope.assignable)} = {self._make.uniform(scope)};"]

    def _vote(self, scope: Scope) -> Lines:
        """A barrier with a result, also where only some groups come to it."""
        if not scope.assignable:
            return self._barrier(scope)
        make = self._make
        variable = make.pick(scope.assignable)
        function = make.pick(("__syncthreads_count", "__syncthreads_or", "__syncthreads_and"))
        vote = f"{function}({make.condition(scope)})"
        form = make.pick(("{v}", "{q} && {v}", "{q} ? {v} : {u}", "{q} || {v}", "{v} + {u}"))
        return [f"{variable} = {form.format(v=vote, q=make.uniform_condition(scope), u=make.pick(('n', 'm', '1')))};"]

    def _swap(self, scope: Scope) -> Lines:
        """Each work-item gives a value and takes another's, by way of one half of a double buffer."""
        make = self._make
        array = self._exchange
        variable = make.pick(scope.variables)
        slot = make.slot(scope)
        taken = converted(f"{array.name}[phase][{slot}]", array.number, variable.number)
        return [
            f"{array.name}[phase][item] = {make.value(scope, array.number)};",
            "__syncthreads();",
            f"{variable.name} = {taken};",
            "phase ^= 1;",
        ]

    def _own_slot(self, scope: Scope) -> Lines:
        free = [a for a in scope.arrays if a.name not in scope.reading]
        if not free:
            return self._assign(scope)
        array = self._make.pick(tuple(free))
        return [f"{array.name}[item] = {self._make.value(scope, array.number)};"]

    def _count(self, scope: Scope) -> Lines:
        free = [c for c in scope.counters if c.name not in scope.reading]
        if not free:
            return self._assign(scope)
        counters = self._make.pick(tuple(free))
        value = self._make.value(scope, counters.number, 1)
        return [f"{counters.function}(&{counters.name}[{self._make.index(scope, COUNTERS)}], {value});"]

    def _share(self, scope: Scope) -> Lines:
        """A block, enclosed by barriers, in which all may read an array."""
        places: list[Array | Counters] = [*scope.arrays, *scope.counters]
        places = [p for p in places if p.name not in scope.reading]
        if not places:
            return self._barrier(scope)
        place = self._make.pick(tuple(places))
        return ["__syncthreads();", *self.block(scope.reader(place.name)), "__syncthreads();"]

    def _scan(self, scope: Scope) -> Lines:
        """Prefix sums over an array: two barriers a round, as many rounds as the group is large."""
        free = [a for a in scope.arrays if a.name not in scope.reading]
        if not free:
            return self._barrier(scope)
        array = self._make.pick(tuple(free))
        number, distance, taken = array.number, self.name("d"), self.name("v")
        total = number.operations[0].format(a=f"{array.name}[item]", b=taken)
        return [
            f"for (int {distance} = 1; {distance} < ITEMS; {distance} *= 2) {{",
            "    __syncthreads();",
            f"    {number.name} {taken} = item >= {distance} ? {array.name}[item - {distance}] : ({number.name})0;",
            "    __syncthreads();",
            f"    {array.name}[item] = {total};",
            "}",
        ]

    def _help(self, scope: Scope) -> Lines:
        helper = self._make.pick(self._helpers)
        variable = self._make.pick(scope.variables)
        value = self._make.value(scope, helper.number, 1)
        call = f"{helper.name}({value}, {self._make.uniform(scope)}, in, fin, n, m, item, phase, own, totals)"
        return [f"{variable.name} = {converted(call, helper.number, variable.number)};"]

    # -- control flow ------------------------------------------------------------------------------------------------

    def _condition(self, scope: Scope) -> tuple[str, Scope]:
        """A condition, and where what it guards stands."""
        if scope.together and self._make.upto(2):
            return self._make.uniform_condition(scope), scope.inner()
        return self._make.condition(scope), scope.apart()

    def _if(self, scope: Scope) -> Lines:
        condition, inside = self._condition(scope)
        lines = [f"if ({condition})", *self.block(inside)]
        if self._make.upto(1):
            lines += ["else", *self.block(inside)]
        return lines

    def _skip(self, scope: Scope) -> Lines:
        """A jump forwards over a block, out of which more jumps may go to the same place."""
        condition, inside = self._condition(scope)
        label = self.name("skip")
        return [
            f"if ({condition}) goto {label};",
            *self.block(inside.jumping(f"goto {label};")),
            f"{label}:;",
        ]

    def _switch(self, scope: Scope) -> Lines:
        make = self._make
        if scope.together and make.upto(1):
            selector, inside = f"{make.uniform(scope)} & 3", scope.inner()
        else:
            selector, inside = make.index(scope, 4), scope.apart()
        inside = inside.jumping("break;")
        lines = [f"switch ({selector}) {{"]
        for case in ("case 0:", "case 2:", "default:")[make.upto(2) :]:
            lines += [case, *indented(self.block(inside))]
            if make.upto(1):
                lines += ["    break;"]
        return [*lines, "}"]

    def _loop(self, scope: Scope) -> Lines:
        make = self._make
        counter = self.name("r")
        if scope.together and make.upto(2):
            trips, inside = make.trips(scope), scope.loop(3).knowing_uniform(counter)
        else:
            apart = scope.apart()
            trips = make.pick((make.trips(apart), make.index(apart, 4)))
            inside = apart.loop(3).knowing_constant(counter, INT)
        body = self.block(inside)
        match make.upto(4):
            case 0:
                return [f"for (int {counter} = 0; {counter} < ({trips}); ++{counter})", *body]
            case 1:
                return [f"for (int {counter} = {trips}; {counter} > 0; --{counter})", *body]
            case 2:
                top = f"    ++{counter};"
                return braced([f"int {counter} = 0;", f"while ({counter} < ({trips})) {{", top, *indented(body), "}"])
            case 3:
                top = f"    ++{counter};"
                return braced(
                    [f"int {counter} = 0;", "do {", top, *indented(body), f"}} while ({counter} < ({trips}));"]
                )
            case _:
                top = f"    if ({counter}++ >= ({trips})) break;"
                return braced([f"int {counter} = 0;", "for (;;) {", top, *indented(body), "}"])

    def _fade(self, scope: Scope) -> Lines:
        """A loop that work-items drop out of round by round; they count on past its barriers, and leave behind it."""
        make = self._make
        gone, counter = self.name("gone"), self.name("r")
        trips, inside = make.trips(scope), scope.loop(3).inner().knowing_uniform(counter)
        return braced(
            [
                f"bool {gone} = {make.condition(scope)};",
                f"for (int {counter} = 0; {counter} < {trips}; ++{counter})",
                *braced([f"if (!{gone})", *self.block(inside), f"{gone} |= {make.condition(scope)};"]),
                f"if ({gone}) {make.pick(scope.escapes)}",
            ]
        )

    def _jump(self, scope: Scope) -> Lines:
        """Out of a loop or a switch, to a label, or out of the kernel."""
        make = self._make
        if scope.escapes and (not scope.targets or make.upto(2) == 2):
            return [f"if ({make.condition(scope)}) {make.pick(scope.escapes)}"]
        if not scope.targets:
            return self._assign(scope)
        target = make.pick(scope.targets)
        condition = make.uniform_condition(scope) if scope.together else make.condition(scope)
        barrier = "__syncthreads(); " if len(scope.reading) > target.reading else ""
        return [f"if ({condition}) {{ {barrier}{target.statement} }}"]


def braced(lines: Lines) -> Lines:
    return ["{", *indented(lines), "}"]


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]
