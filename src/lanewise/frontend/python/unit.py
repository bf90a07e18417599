# SPDX-License-Identifier: Apache-2.0
"""Python as a source language: a region of a function, for inputs of certain types."""

import ast
import linecache
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions
from lanewise.frontend.python.region import resolved
from lanewise.frontend.source import Source

if TYPE_CHECKING:
    from lanewise.frontend.python.parallel import Grid
    from lanewise.frontend.python.python_types import Type
    from lanewise.frontend.python.region import PythonRegion
    from lanewise.frontend.unit import KernelModule


class TypedRegion(NamedTuple):
    """A region, the types of its inputs, and its grid, if it has one."""

    region: "PythonRegion"
    types: "Mapping[str, Type]"
    grid: "Grid | None"


class PythonUnit(NamedTuple):
    """See `lanewise.frontend.unit.Unit`."""

    source: TypedRegion
    arch: str

    @property
    def name(self) -> str:
        return self.source.region.file

    @property
    def digest(self) -> str:
        region, types, grid = self.source
        texts: list[str] = [
            region.file,
            region.name,
            repr(region.options),
            repr(sorted(types.items())),
            repr(region.outputs),
            repr(region.is_kernel),
        ]
        texts += [repr(region.reductions), "" if grid is None else f"{[axis.variable for axis in grid.axes]} {grid.x}"]
        if region.loop is not None:
            texts.append(ast.dump(region.loop, include_attributes=True))
        else:
            texts += [ast.dump(statement, include_attributes=True) for statement in region.body]
        texts += _referred(region.body, region.namespace, set())
        return key("python", *texts)

    @property
    def terms(self) -> str:
        return "cuda"

    @property
    def is_foreign(self) -> bool:
        return False

    @property
    def main_line(self) -> None:
        return None

    def compile(self, cache: Cache, meanwhile: Callable[[], None]) -> "KernelModule":
        from lanewise.frontend.python.translate import translate  # a warm start translates nothing
        from lanewise.frontend.unit import KernelModule
        from lanewise.ir.writer import write_module

        made = translate(*self.source)
        return KernelModule(write_module(made.module), made.info, (), made.module)

    def for_arch(self, arch: str) -> "PythonUnit":
        return self

    def with_instance(self, name: str) -> None:
        return None

    def in_general_form(self) -> None:
        return None

    @property
    def text(self) -> str | None:
        return "".join(linecache.getlines(self.source.region.file)) or None

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        return ""


def python_unit(source: object, given: GivenOptions) -> PythonUnit:
    """The unit of a region. Error for other values: users mark functions with `lw.jit`."""
    if not isinstance(source, TypedRegion):
        raise Error("Python isn't compiled by lw.compile: mark the function with @lw.jit")
    return PythonUnit(source, given.arch or DEFAULT_ARCH)


def _referred(body: tuple[ast.stmt, ...], namespace: Mapping[str, Any], seen: set[int]) -> list[str]:
    """The values from outside that statements use, also as attributes such as `math.pi`: constants, and the text of
    functions."""
    values: dict[str, Any] = {}
    for part in (part for statement in body for part in ast.walk(statement)):
        if isinstance(part, ast.Attribute) or (isinstance(part, ast.Name) and part.id in namespace):
            value = resolved(part, namespace)
            if value is not None:
                values[ast.unparse(part)] = value
    texts: list[str] = []
    for name, value in sorted(values.items()):
        compiled = getattr(value, "__lanewise_jit__", None)
        if compiled is None:
            texts.append(f"{name} = {_shown(value)}")
        elif id(compiled) not in seen:
            seen.add(id(compiled))
            texts += [
                name,
                compiled.file,
                repr(compiled.defaults),
                *(ast.dump(each, include_attributes=True) for each in compiled.body),
            ]
            texts += _referred(compiled.body, compiled.namespace, seen)
    return texts


def _shown(value: Any) -> str:
    """A constant, also one of NumPy's; for all else the name."""
    if isinstance(value, bool | int | float | tuple) or (hasattr(value, "item") and getattr(value, "ndim", 1) == 0):
        return f"{type(value).__name__} {value!r}"  # pyright: ignore[reportUnknownArgumentType] : a tuple of anything
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__name__', type(value).__name__)}"
