# SPDX-License-Identifier: Apache-2.0
"""The check of the environment: the variables of Lanewise that are set, and if they can be read."""

from __future__ import annotations

from lanewise import config
from lanewise.cli.doctor.finding import Finding, missing, ok
from lanewise.errors import Error


def environment() -> Finding:
    """The variables in force. Those that no one reads are most likely misspelt, and are named."""
    found = config.in_force()
    unknown = [name for name in found if name not in config.VARIABLES]
    lines = [f"{name}={value}{'  (nothing reads it)' if name in unknown else ''}" for name, value in found.items()]
    data: dict[str, object] = {"variables": found, "unknown": unknown}
    try:
        config.check()
    except Error as error:
        return missing("\n".join([str(error), *lines]), **data)
    return ok("\n".join(lines) or "no variable of Lanewise is set", **data)
