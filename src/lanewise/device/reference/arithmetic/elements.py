# SPDX-License-Identifier: Apache-2.0
"""Vectors and aggregates, whose runtime values are tuples. Source: LLVM Language Reference, "Vector Operations",
"Aggregate Operations", "select Instruction"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanewise.device.reference.arithmetic.indeterminate import Indeterminate, Value, poison, unknown_result


def lifted(compute: Callable[..., Value], is_vector: Sequence[bool]) -> Callable[..., Value]:
    """`compute` for each element of the vector operands; scalar operands are the same for all elements."""
    if not any(is_vector):
        return compute
    if all(is_vector):
        return lambda *operands: tuple(map(compute, *operands))

    def run(*operands: Value) -> Value:
        count = next(len(o) for o, v in zip(operands, is_vector, strict=True) if v)
        columns = (o if v else (o,) * count for o, v in zip(operands, is_vector, strict=True))
        return tuple(map(compute, *columns))

    return run


def select(uniform: Callable[[Callable[[object], Value]], Value]) -> Callable[[Value, Value, Value], Value]:
    """select by one bit; `uniform(f)` is a value of the result's type made of f's results."""

    def run(condition: Value, a: Value, b: Value) -> Value:
        if condition.__class__ is Indeterminate:
            unknown = unknown_result(condition)
            return uniform(lambda _: unknown)
        return a if condition else b

    return run


def select_element(condition: Value, a: Value, b: Value) -> Value:
    if condition.__class__ is Indeterminate:
        return unknown_result(condition)
    return a if condition else b


def _position(index: Value, count: int) -> int | None:
    """The position that an index selects in a vector; None if it is out of range or unknown."""
    if index.__class__ is Indeterminate or not 0 <= index < count:
        return None
    return index


def extract_element(vector: Value, index: Value) -> Value:
    at = _position(index, len(vector))
    return poison("an element that the vector doesn't have") if at is None else vector[at]


def insert_element(vector: Value, element: Value, index: Value) -> Value:
    at = _position(index, len(vector))
    if at is None:
        return (poison("a vector changed at an element that it doesn't have"),) * len(vector)
    return (*vector[:at], element, *vector[at + 1 :])


def shuffle(mask: Value) -> Callable[[Value, Value], Value]:
    """shufflevector with a mask of element numbers; an undetermined number selects poison."""
    unchosen = poison("an element of a shufflevector that its mask leaves open")

    def run(a: Value, b: Value) -> Value:
        both = a + b
        return tuple([unchosen if i.__class__ is Indeterminate else both[i] for i in mask])

    return run


def extract_value(indices: Sequence[int]) -> Callable[[Value], Value]:
    if len(indices) == 1:
        only = indices[0]
        return lambda aggregate: aggregate[only]

    def run(aggregate: Value) -> Value:
        for index in indices:
            aggregate = aggregate[index]
        return aggregate

    return run


def insert_value(indices: Sequence[int]) -> Callable[[Value, Value], Value]:
    first, rest = indices[0], indices[1:]
    inner = insert_value(rest) if rest else None

    def run(aggregate: Value, element: Value) -> Value:
        if inner is not None:
            element = inner(aggregate[first], element)
        return (*aggregate[:first], element, *aggregate[first + 1 :])

    return run
