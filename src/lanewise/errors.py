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


class LaunchError(Error):
    """A launch that breaks a rule: which argument or limit, what was expected, what was given."""


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
