# SPDX-License-Identifier: Apache-2.0
"""Functions that the work-items of a kernel call, as users see them: a signature, a docstring, and an error for a call
by Python."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Final, Generic, ParamSpec, TypeVar, final

from lanewise.errors import Error, hidden_by_pytest
from lanewise.frontend.python.code import PythonCode
from lanewise.frontend.python.device_functions.call import Emit, emitted
from lanewise.frontend.python.values import Value

__tracebackhide__ = hidden_by_pytest

P = ParamSpec("P")
R = TypeVar("R")


@final
class DeviceFunction(Generic[P, R]):
    """A function of work-items. `declared` has its signature; `emit` makes the code of a call."""

    def __init__(self, declared: Callable[P, R], emit: Emit, name: str) -> None:
        self._declared: Final = declared
        self._emit: Final = emit
        self._name: Final = name
        functools.update_wrapper(self, declared)

    def __repr__(self) -> str:
        return f"<function lw.{self._name} of work-items>"

    def __call__(self, *arguments: P.args, **named: P.kwargs) -> R:
        raise Error(
            f"lw.{self._name} is for the work-items of a kernel, and was called by Python: call it in a function "
            "marked with @lw.kernel, which is launched by f[grid, block](...)"
        )

    @functools.cached_property
    def _signature(self) -> inspect.Signature:
        signature = inspect.signature(self._declared)
        parameters = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
        return signature.replace(parameters=parameters, return_annotation=signature.empty)

    def __lanewise_device__(self, code: PythonCode, arguments: list[Value], named: dict[str | None, Value]) -> Value:
        """The code of a call in a kernel."""
        return emitted(code, self._name, self._signature, self._emit, arguments, named)


def device_function(emit: Emit, name: str = "") -> Callable[[Callable[P, R]], DeviceFunction[P, R]]:
    """Make a function one of work-items. `name`: its name after `lw.`, if it isn't that of the definition."""

    def made(declared: Callable[P, R]) -> DeviceFunction[P, R]:
        return DeviceFunction(declared, emit, name or getattr(declared, "__name__", ""))

    return made


def only_in_kernels() -> Any:
    """The body of the definitions, which is never run."""
    raise AssertionError("made for its signature alone")
