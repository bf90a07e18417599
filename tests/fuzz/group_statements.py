# SPDX-License-Identifier: Apache-2.0
"""Statements of the group: barriers, votes, what goes from one work-item to another by way of shared memory."""

from .expressions import COUNTERS
from .private_statements import assign
from .scope import Array, Counters, Scope
from .writer import Lines, Writer


def barrier(writer: Writer, scope: Scope) -> Lines:
    return [writer.dialect.barrier]


def uniform_assign(writer: Writer, scope: Scope) -> Lines:
    if not scope.assignable:
        return barrier(writer, scope)
    return [f"{writer.make.pick(scope.assignable)} = {writer.make.uniform(scope)};"]


def vote(writer: Writer, scope: Scope) -> Lines:
    """A barrier with a result, also where only some groups come to it."""
    if not scope.assignable:
        return barrier(writer, scope)
    make = writer.make
    variable = make.pick(scope.assignable)
    function = make.pick(("__syncthreads_count", "__syncthreads_or", "__syncthreads_and"))
    call = f"{function}({make.condition(scope)})"
    form = make.pick(("{v}", "{q} && {v}", "{q} ? {v} : {u}", "{q} || {v}", "{v} + {u}"))
    return [f"{variable} = {form.format(v=call, q=make.uniform_condition(scope), u=make.pick(('n', 'm', '1')))};"]


def swap(writer: Writer, scope: Scope) -> Lines:
    """Each work-item gives a value and takes another's, by way of one half of a double buffer."""
    make = writer.make
    array = writer.exchange
    variable = make.pick(scope.variables)
    taken = make.converted(f"{array.name}[phase][{make.slot(scope)}]", array.number, variable.number)
    return [
        f"{array.name}[phase][item] = {make.value(scope, array.number)};",
        writer.dialect.barrier,
        f"{make.place(scope, variable)} = {taken};",
        "phase ^= 1;",
    ]


def publish(writer: Writer, scope: Scope) -> Lines:
    """One place of the group gets a value that all then read: of one work-item, or the same one of several."""
    make = writer.make
    array, uniform = writer.exchange, make.uniform(scope, 0)
    variable = make.pick(scope.variables)
    place = f"{array.name}[phase][{make.pick(('0', 'ITEMS - 1', f'(unsigned){uniform} % ITEMS'))}]"
    alike = make.converted(make.uniform(scope), writer.dialect.int, array.number)
    store = make.pick(
        (
            f"if (item == {make.pick(('0', 'ITEMS - 1', f'(unsigned){uniform} % ITEMS', '5'))}) "
            f"{place} = {make.value(scope, array.number)};",
            f"{place} = {alike};",
            f"if ({make.condition(scope)}) {place} = {alike};",
        )
    )
    return [
        store,
        writer.dialect.barrier,
        f"{make.place(scope, variable)} = {make.converted(place, array.number, variable.number)};",
        "phase ^= 1;",
    ]


def own_slot(writer: Writer, scope: Scope) -> Lines:
    free = [a for a in scope.arrays if a.name not in scope.reading]
    if not free:
        return assign(writer, scope)
    array = writer.make.pick(free)
    return [f"{array.at('item')} = {writer.make.value(scope, array.number)};"]


def count(writer: Writer, scope: Scope) -> Lines:
    free = [c for c in scope.counters if c.name not in scope.reading]
    if not free:
        return assign(writer, scope)
    counters = writer.make.pick(free)
    value = writer.make.value(scope, counters.number, 1)
    place = f"&{counters.name}[{writer.make.index(scope, COUNTERS)}]"
    return [counters.operation.format(p=place, v=value)]


def share(writer: Writer, scope: Scope) -> Lines:
    """A block, enclosed by barriers, in which all may read an array."""
    places: list[Array | Counters] = [*scope.arrays, *scope.counters]
    places = [p for p in places if p.name not in scope.reading]
    if not places:
        return barrier(writer, scope)
    place = writer.make.pick(places)
    return [writer.dialect.barrier, *writer.block(scope.reader(place.name)), writer.dialect.barrier]


def scan(writer: Writer, scope: Scope) -> Lines:
    """Prefix sums over an array: two barriers a round, as many rounds as the group is large."""
    free = [a for a in scope.arrays if a.name not in scope.reading]
    if not free:
        return barrier(writer, scope)
    array = writer.make.pick(free)
    number, distance, taken = array.number, writer.name("d"), writer.name("v")
    own = array.at("item")
    total = number.operations[0].format(a=own, b=taken, q=f"{own} != {taken}")
    return [
        f"for (int {distance} = 1; {distance} < ITEMS; {distance} *= 2) {{",
        f"    {writer.dialect.barrier}",
        f"    {number.name} {taken} = item >= {distance} ? {array.at(f'item - {distance}')} : ({number.name})(0);",
        f"    {writer.dialect.barrier}",
        f"    {own} = {total};",
        "}",
    ]


def call_helper(writer: Writer, scope: Scope) -> Lines:
    """A function with barriers in it."""
    make = writer.make
    helper = make.pick(scope.helpers)
    variable = make.pick(scope.variables)
    value = make.value(scope, helper.parameters[0], 1)
    call = f"{helper.name}({value}, {make.uniform(scope)}{helper.arguments})"
    return [f"{make.place(scope, variable)} = {make.converted(call, helper.result, variable.number)};"]
