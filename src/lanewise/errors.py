# SPDX-License-Identifier: Apache-2.0
"""The one family of errors that Lanewise raises.

A user's mistake always ends as one of these, and its text says what was found, which rule it
breaks, and where possible what to change. Anything else that escapes is a defect of Lanewise.
"""

from __future__ import annotations

TYPE_CHECKING = False  # that of `typing`, which `import lanewise` does without
if TYPE_CHECKING:
    from typing import Any


class Error(Exception):
    """Base of every error that Lanewise raises on purpose."""


class CompileError(Error):
    """Source that cannot be compiled: the front end's diagnostics, or a construct that is refused.

    `diagnostics` holds the individual messages, each as `file:line:column: severity: text`.
    """

    def __init__(self, message: str, diagnostics: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


class InternalError(Error):
    """A defect of Lanewise: the step that failed, and where its input is kept."""


class UnknownKernelError(CompileError, KeyError):
    """A name that no kernel of a program has: also a KeyError, for `mod["name"]`."""

    __str__ = Exception.__str__
    """The message: KeyError's own would quote it."""


class LaunchError(Error):
    """A launch that breaks a rule: which argument or limit, what was expected, what was given.

    Where Python has a class of its own for that, it is of this class, too: `LaunchTypeError`, `LaunchValueError`,
    `LaunchTimeoutError`.
    """


class LaunchTypeError(LaunchError, TypeError):
    """An argument of the wrong type, too few or too many of them, or a launch that is written wrong: also a
    TypeError."""


class LaunchValueError(LaunchError, ValueError):
    """A value that can't be: a number that doesn't fit, a size out of bounds, an array that isn't contiguous: also a
    ValueError."""


class LaunchTimeoutError(LaunchError, TimeoutError):
    """A launch that ran longer than its `timeout`: also a TimeoutError."""


class CheckError(LaunchError):
    """A launch of a checked kernel in which something was wrong.

    `faults` holds each place that failed, as `KernelFault` has it, in the order of the source.
    """

    def __init__(self, message: str, faults: tuple[Any, ...] = ()) -> None:
        super().__init__(message)
        self.faults = faults


def hidden_by_pytest(info: Any) -> bool:
    """A function in whose module this is `__tracebackhide__` doesn't appear in pytest's report of a user's mistake, of
    which `info` is the ExceptionInfo."""
    return isinstance(info.value, Error)
