# SPDX-License-Identifier: Apache-2.0
"""The check of the environment: which variables of Lanewise are set, and whether their values are valid."""

from __future__ import annotations

from lanewise import config
from lanewise.cli.doctor.finding import Finding, missing, ok
from lanewise.errors import Error


def environment() -> Finding:
    """The variables that are set. Unknown ones are named: they are most likely misspelt."""
    found = config.in_force()
    unknown = [name for name in found if name not in config.VARIABLES]
    lines = [f"{name}={value}{'  (nothing reads it)' if name in unknown else ''}" for name, value in found.items()]
    data: dict[str, object] = {"variables": found, "unknown": unknown}
    try:
        config.check()
    except Error as error:
        return missing("\n".join([str(error), *lines]), **data)
    return ok("\n".join(lines) or "no variable of Lanewise is set", **data)
