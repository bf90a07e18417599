# SPDX-License-Identifier: Apache-2.0
"""The error for an index out of bounds, from the report of a launch with checked indices."""

from typing import Any

from lanewise.errors import LaunchError
from lanewise.frontend.python.bounds import IndexFault


class OutOfBoundsError(LaunchError, IndexError):
    """An index out of bounds in a compiled loop: Python's IndexError, too."""


def raise_fault(file: str, faults: Any) -> None:
    """OutOfBoundsError if there is a report. `file`: that of the source."""
    if faults is not None and faults[0]:
        fault = IndexFault(*faults.tolist())
        raise OutOfBoundsError(
            f"{file}:{fault.line}: index {fault.position} is out of bounds for axis {fault.axis} with size "
            f"{fault.extent}"
        )
