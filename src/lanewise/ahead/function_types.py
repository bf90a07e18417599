# SPDX-License-Identifier: Apache-2.0
"""The types of a function's regions, before it is called: they follow from the annotations of its parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, Final, final

import numpy as np

from lanewise.ahead.driver import FollowedDriver
from lanewise.ahead.samples import UNKNOWN, Samples, sample_of
from lanewise.errors import Error
from lanewise.frontend.python.python_types import Array, Type
from lanewise.jit.annotations import annotations_of
from lanewise.jit.arguments import type_of
from lanewise.jit.driver import EXPRESSION, PREFIX, parameters_of
from lanewise.jit.expressions import LEAF, WHERE
from lanewise.jit.function import CompiledParts, JitFunction
from lanewise.jit.region_kernel import RegionKernel

_REGION: Final = f"{PREFIX}region_"


class UnknownTypeError(Error):
    """A type that isn't known before the call: the reason for which a function isn't built."""


@final
class FunctionTypes:
    """The types that come to the regions of a function, in the order of the regions. UnknownTypeError if the types of
    any aren't known, CompileError for Python that isn't compiled."""

    def __init__(self, function: JitFunction) -> None:
        self.parts: Final[CompiledParts] = function.parts()
        self.types: Final[list[list[dict[str, Type]]]] = [[] for _ in self.parts.regions]
        tree = _driver_of(self.parts.split.factory)
        names: dict[str, Any] = {}
        annotations = annotations_of(function.py_func)
        for name in parameters_of(tree):
            if name not in annotations:
                raise UnknownTypeError(f"parameter '{name}' has no type")
            names[name] = sample_of(annotations[name])
            if names[name] is UNKNOWN:
                raise UnknownTypeError(f"the annotation of parameter '{name}' is no type of compiled code")
        own = {f"{_REGION}{number}": _Numbered("region", number) for number in range(len(self.parts.regions))}
        own |= {f"{EXPRESSION}{number}": _Numbered("array", number) for number in range(len(self.parts.expressions))}
        self._namespace: Final[Mapping[str, Any]] = {**function.py_func.__globals__, **own}
        FollowedDriver(Samples(names, self._namespace, self._called), f"{PREFIX}unset", f"{PREFIX}checks").follow(
            tree.body
        )
        for kernel, found in zip(self.parts.regions, self.types, strict=True):
            if not found:
                raise UnknownTypeError(f"line {kernel.region.line} is never reached")

    def pairs(self) -> Iterator[tuple[RegionKernel, dict[str, Type]]]:
        """Each region with each of the types that come to it."""
        for kernel, found in zip(self.parts.regions, self.types, strict=True):
            for types in found:
                yield kernel, types

    def _called(self, function: Any, arguments: list[Any]) -> Any:
        if isinstance(function, JitFunction):
            return sample_of(annotations_of(function.py_func).get("return"))
        if not isinstance(function, _Numbered):
            return UNKNOWN
        if function.kind == "array":
            body = self.parts.expressions[function.number].expression.body
            leaves = {f"{LEAF}{number}": each for number, each in enumerate(arguments)}
            return Samples(leaves, {**self._namespace, WHERE: np.where}, self._called).value(body)
        return self._region(function.number, arguments)

    def _region(self, number: int, arguments: list[Any]) -> Any:
        """The samples of what a region leaves."""
        kernel = self.parts.regions[number]
        types = self._types_of(kernel, arguments if kernel.region.loop is None else arguments[1:])
        if types not in self.types[number]:
            self.types[number].append(types)
        results = dict(kernel.compiled_for(types).results)
        made = {name: np.ones((), type_.dtype)[()] for name, type_ in results.items()}
        samples = {name: value.item() if results[name].weak else value for name, value in made.items()}
        if kernel.region.returns:
            return UNKNOWN
        starts = arguments[len(arguments) - len(kernel.region.reductions) :]
        for reduction, start in zip(kernel.region.reductions, starts, strict=True):
            samples.setdefault(reduction.name, start)  # an array
        return [samples.get(name, UNKNOWN) for name in kernel.region.outputs]

    def _types_of(self, kernel: RegionKernel, values: list[Any]) -> dict[str, Type]:
        region = kernel.region
        names = (*region.inputs, *(reduction.name for reduction in region.reductions))
        types: dict[str, Type] = {}
        for name, value in zip(names, values, strict=True):
            if value is UNKNOWN:
                raise UnknownTypeError(f"line {region.line}: the type of '{name}' isn't known before the call")
            found = type_of(value, name, region.name)
            types[name] = Array(found.element, found.ndim) if isinstance(found, Array) else found
        return types


@final
class _Numbered:
    """A region or an expression of whole arrays, as the followed driver calls it."""

    def __init__(self, kind: str, number: int) -> None:
        self.kind: Final = kind
        self.number: Final = number


def _driver_of(factory: ast.Module) -> ast.FunctionDef:
    """The driver in the factory that makes it."""
    made = factory.body[0]
    assert isinstance(made, ast.FunctionDef)
    driver = made.body[0]
    assert isinstance(driver, ast.FunctionDef)
    return driver
