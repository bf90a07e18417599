# SPDX-License-Identifier: Apache-2.0
"""The GPU architectures that the front end compiles for."""

from __future__ import annotations

from lanewise.errors import CompileError

# Architecture -> the PTX version whose builtins it gets: the least that has the architecture, from 7.8 upwards.
# Source: PTX ISA 9.0, release notes, and clang 22's own checks.
PTX_VERSION = {
    "sm_50": 78,
    "sm_52": 78,
    "sm_53": 78,
    "sm_60": 78,
    "sm_61": 78,
    "sm_62": 78,
    "sm_70": 78,
    "sm_72": 78,
    "sm_75": 78,
    "sm_80": 78,
    "sm_86": 78,
    "sm_87": 78,
    "sm_88": 90,
    "sm_89": 78,
    "sm_90": 78,
    "sm_90a": 80,
    "sm_100": 86,
    "sm_100a": 86,
    "sm_101": 86,
    "sm_101a": 86,
    "sm_103": 88,
    "sm_103a": 88,
    "sm_110": 90,
    "sm_110a": 90,
    "sm_120": 87,
    "sm_120a": 87,
    "sm_121": 88,
    "sm_121a": 88,
}


def ptx_version(architecture: str) -> int:
    """The PTX version for `architecture`, as 78 for 7.8. Raises `CompileError` for one that isn't known."""
    if architecture not in PTX_VERSION:
        known = ", ".join(PTX_VERSION)
        raise CompileError(f"unknown architecture '{architecture}'; known are {known}")
    return PTX_VERSION[architecture]
