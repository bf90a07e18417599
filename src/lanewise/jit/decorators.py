# SPDX-License-Identifier: Apache-2.0
"""`lw.jit` and `lw.kernel`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from lanewise.errors import Error
from lanewise.frontend.python.code import Options
from lanewise.jit.function import JitFunction


def jit(function: Callable[..., Any] | None, *, exact: bool, boundscheck: bool, fallback: bool) -> Any:
    """See `lanewise.jit`."""
    options = Options(exact, boundscheck)
    if function is None:

        def marked(given: Callable[..., Any]) -> JitFunction:
            return _made(given, options, fallback=fallback)

        return marked
    return _made(function, options, fallback=fallback)


def kernel(function: Callable[..., Any] | None, *, exact: bool, boundscheck: bool) -> Any:
    """See `lanewise.kernel`."""
    from lanewise.jit.kernel_function import made_kernel

    options = Options(exact, boundscheck)
    return functools.partial(made_kernel, options=options) if function is None else made_kernel(function, options)


def _made(function: Callable[..., Any], options: Options, *, fallback: bool) -> JitFunction:
    if isinstance(function, JitFunction):
        return function
    if not hasattr(function, "__code__"):
        raise Error(f"lw.jit marks functions, not {function!r}")
    return JitFunction(function, options, fallback=fallback)
