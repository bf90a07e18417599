# SPDX-License-Identifier: Apache-2.0
"""Python as a source language: a region of a function, for inputs of certain types."""

import ast
import hashlib
import linecache
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lanewise.cache import Cache, key
from lanewise.errors import Error
from lanewise.frontend.given_options import DEFAULT_ARCH, GivenOptions
from lanewise.frontend.python.region import resolved
from lanewise.frontend.python.trees import text, walk
from lanewise.frontend.source import Source

if TYPE_CHECKING:
    from lanewise.frontend.python.parallel import Grid
    from lanewise.frontend.python.python_types import Type
    from lanewise.frontend.python.region import PythonRegion
    from lanewise.frontend.python.tiling.plan import RegisterTiling
    from lanewise.frontend.python.unrolling.shape import Unrolling
    from lanewise.frontend.unit import KernelModule


_CONVENTION: Final = "1"
"""Version of the order and the meaning of a kernel's parameters, which code made elsewhere keeps to."""


class TypedRegion(NamedTuple):
    """A region, the types of its inputs, its grid, if it has one, and how that is tiled or unrolled, if it is."""

    region: "PythonRegion"
    types: "Mapping[str, Type]"
    grid: "Grid | None"
    tiling: "RegisterTiling | Unrolling | None" = None


class PythonUnit(NamedTuple):
    """See `lanewise.frontend.unit.Unit`."""

    source: TypedRegion
    arch: str

    @property
    def name(self) -> str:
        return self.source.region.file

    @property
    def digest(self) -> str:
        region, types, grid, tiling = self.source
        texts: list[str] = [
            region.file,
            region.name,
            repr(region.options),
            repr(sorted(types.items())),
            repr(region.outputs),
            repr(region.is_kernel),
            repr(tiling),
        ]
        texts += [repr(region.reductions), "" if grid is None else f"{[axis.variable for axis in grid.axes]} {grid.x}"]
        if region.loop is not None:
            texts.append(text(region.loop, places=True))
        else:
            texts += [text(statement, places=True) for statement in region.body]
        texts += _referred(region.body, region.namespace, set(), _tree)
        return key("python", *texts)

    @property
    def portable_digest(self) -> str:
        """A digest that is the same in any folder, version of Python and version of the tools: of the sources' texts
        rather than of their trees. Code that was made of the region elsewhere is known by it."""
        region, types, grid, _ = self.source  # what is built ahead isn't tiled
        texts = [
            _CONVENTION, region.name, str(region.line), repr(region.options), repr(sorted(types.items())),
            repr(region.outputs), repr(region.is_kernel), repr(region.reductions),
            "" if grid is None else f"{[axis.variable for axis in grid.axes]} {grid.x}",
            text_of(region.file),
        ]  # fmt: skip
        texts += _referred(region.body, region.namespace, set(), lambda compiled: [text_of(compiled.file)])
        digest = hashlib.sha256()
        for each in texts:
            data = each.encode(errors="surrogateescape")
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

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
        return text_of(self.source.region.file) or None

    def ptx(self) -> tuple[Source, ...]:
        return ()

    def hint(self, name: str) -> str:
        return ""


def python_unit(source: object, given: GivenOptions) -> PythonUnit:
    """The unit of a region. Error for other values: users mark functions with `lw.jit`."""
    if not isinstance(source, TypedRegion):
        raise Error("Python isn't compiled by lw.compile: mark the function with @lw.jit")
    return PythonUnit(source, given.arch or DEFAULT_ARCH)


def text_of(file: str) -> str:
    """The text of a source file, as Python read it; empty if there is none."""
    return "".join(linecache.getlines(file))


def _tree(compiled: Any) -> list[str]:
    """A function that compiled code calls, as text."""
    return [compiled.file, *(text(each, places=True) for each in compiled.body)]


def _referred(
    body: tuple[ast.stmt, ...], namespace: Mapping[str, Any], seen: set[int], told: Callable[[Any], list[str]]
) -> list[str]:
    """The values from outside that statements use, also as attributes such as `math.pi`: constants, and functions, as
    `told` tells of them."""
    values: dict[str, Any] = {}
    for part in (part for statement in body for part in walk(statement)):
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
            texts += [name, repr(compiled.defaults), *told(compiled)]
            texts += _referred(compiled.body, compiled.namespace, seen, told)
    return texts


def _shown(value: Any) -> str:
    """A constant, also one of NumPy's; for all else the name."""
    if isinstance(value, bool | int | float | tuple) or (hasattr(value, "item") and getattr(value, "ndim", 1) == 0):
        return f"{type(value).__name__} {value!r}"  # pyright: ignore[reportUnknownArgumentType] : a tuple of anything
    return f"{getattr(value, '__module__', '')}.{getattr(value, '__name__', type(value).__name__)}"
