# SPDX-License-Identifier: Apache-2.0
"""Regions: parts of a Python function that become kernels."""

import ast
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from lanewise.frontend.python.code import Options
from lanewise.frontend.python.names import assigned, uses
from lanewise.frontend.python.reductions import LoopReduction, reductions_of
from lanewise.frontend.python.refusal import UnsupportedError
from lanewise.frontend.python.shared_elements import with_augmented_assignments
from lanewise.frontend.python.statements import is_range
from lanewise.frontend.python.trees import walk

RETURN: Final = "return"
"""The output of a region that is a whole function."""


class PythonRegion(NamedTuple):
    """Statements that run on a device.

    Inputs are variables read before they are assigned to; outputs are scalars that the function uses afterwards.
    `loop`: the parallel loop that the region is; None for statements that one work-item runs. `returns`: the region is
    a whole function. `is_kernel`: it is one of `@lw.kernel`, which every work-item runs, and all parameters are inputs.
    """

    name: str
    file: str
    body: tuple[ast.stmt, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    namespace: Mapping[str, Any]
    options: Options
    loop: ast.For | None = None
    reductions: tuple[LoopReduction, ...] = ()
    returns: bool = False
    is_kernel: bool = False

    @property
    def line(self) -> int:
        return self.body[0].lineno


def serial_region(
    name: str,
    file: str,
    body: tuple[ast.stmt, ...],
    namespace: Mapping[str, Any],
    options: Options,
    local: frozenset[str],
    used_later: frozenset[str],
) -> PythonRegion:
    """Statements for one work-item. `local`: the function's variables; `used_later`: those that other code reads."""
    found = uses(body)
    inputs = tuple(each for each in found.exposed if each in local)
    outputs = tuple(each for each in found.assigned if each in used_later)
    return PythonRegion(name, file, body, inputs, outputs, namespace, options)


def kernel_region(
    name: str,
    file: str,
    body: tuple[ast.stmt, ...],
    parameters: tuple[str, ...],
    namespace: Mapping[str, Any],
    options: Options,
) -> PythonRegion:
    """A whole function that every work-item of a launch runs."""
    return PythonRegion(name, file, body, parameters, (), namespace, options, is_kernel=True)


def parallel_region(
    name: str,
    file: str,
    loop: ast.For,
    namespace: Mapping[str, Any],
    options: Options,
    local: frozenset[str],
    used_later: frozenset[str],
) -> PythonRegion:
    """A parallel loop. UnsupportedError if iterations leave values behind otherwise than in reductions."""
    loop = with_augmented_assignments(loop)
    if not isinstance(loop.target, ast.Name):
        raise UnsupportedError("a compiled loop counts by one variable", loop.target)
    body = tuple(loop.body)
    reductions = reductions_of(body, namespace)
    reduced = {reduction.name for reduction in reductions}
    found = uses(body)
    carried = [each for each in found.assigned if each in found.exposed and each not in reduced]
    if carried:
        place = next(part for part in walk(loop) if isinstance(part, ast.Name) and part.id == carried[0])
        raise UnsupportedError(
            f"'{carried[0]}' goes from one iteration of a parallel loop to the next: iterations of prange run in any "
            f"order; sums such as {carried[0]} += x, and {carried[0]} = min({carried[0]}, x), are recognised",
            place,
        )
    later = [each for each in found.assigned if each in used_later and each not in reduced]
    if later:
        raise UnsupportedError(
            f"'{later[0]}' is assigned to in a parallel loop and used after it: which iteration's value would it be?",
            loop,
        )
    inputs = [each for each in found.exposed if each in local and each != loop.target.id and each not in reduced]
    outputs = tuple(reduction.name for reduction in reductions if reduction.form != "part")
    return PythonRegion(name, file, body, tuple(inputs), outputs, namespace, options, loop, reductions)


def is_parallel(node: ast.stmt, namespace: Mapping[str, Any]) -> bool:
    """True for a loop over `prange`."""
    return isinstance(node, ast.For) and _iterates(node, namespace, parallel=True)


def is_counted(node: ast.stmt, namespace: Mapping[str, Any]) -> bool:
    """True for a loop over `range` or `prange`."""
    return isinstance(node, ast.For) and _iterates(node, namespace, parallel=False)


def _iterates(node: ast.For, namespace: Mapping[str, Any], *, parallel: bool) -> bool:
    if not isinstance(node.iter, ast.Call):
        return False
    target = resolved(node.iter.func, namespace)
    return is_range(target) and (not parallel or target is not range)


def resolved(node: ast.expr, namespace: Mapping[str, Any]) -> Any:
    """The Python object that a name with attributes means while compiling; None if it means none."""
    if isinstance(node, ast.Name):
        import builtins

        return namespace.get(node.id, getattr(builtins, node.id, None))
    if isinstance(node, ast.Attribute):
        owner = resolved(node.value, namespace)
        return None if owner is None else getattr(owner, node.attr, None)
    return None


def variables_of(body: tuple[ast.stmt, ...], parameters: tuple[str, ...]) -> frozenset[str]:
    """The local variables of a function."""
    return frozenset((*parameters, *assigned(body)))
