# SPDX-License-Identifier: Apache-2.0
"""The GPUs that PTX is made for, as data."""

from typing import Final, NamedTuple

from lanewise.errors import CompileError


class Target(NamedTuple):
    """An architecture and the PTX version that is stated for it."""

    name: str
    """`sm_80`, `sm_90a`."""
    sm: int
    """Its number: 80 of sm_80, 90 of sm_90a."""
    ptx: int
    """PTX ISA version times ten: 78 is 7.8."""

    @property
    def widest_access(self) -> int:
        """Bytes of the widest access to global memory. Source: PTX ISA 9.0, "ld": `.v8.b32` from sm_100 and 8.8 on."""
        return 32 if self.sm >= 100 and self.ptx >= 88 else 16


_COMMON: Final = 78
"""The least version that is stated: it knows every architecture up to sm_90, and drivers since CUDA 11.8 take it."""

_LEAST_PTX: Final = {
    **dict.fromkeys(("50", "52", "53", "60", "61", "62", "70", "72", "75", "80", "86", "87", "89", "90"), _COMMON),
    "88": 90,
    "90a": 80,
    **dict.fromkeys(("100", "100a", "101", "101a"), 86),
    **dict.fromkeys(("100f", "101f", "103", "103a", "103f"), 88),
    **dict.fromkeys(("110", "110a", "110f"), 90),
    **dict.fromkeys(("120", "120a"), 87),
    **dict.fromkeys(("120f", "121", "121a", "121f"), 88),
}
"""Architecture -> least PTX version. Source: PTX ISA 9.0, "Release Notes"; LLVM 22's NVPTX back end agrees."""

ARCHITECTURES: Final = tuple(f"sm_{number}" for number in sorted(_LEAST_PTX, key=lambda n: (int(n.rstrip("af")), n)))

PTX_VERSIONS: Final = (78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90)
"""Versions that LLVM 22 can state, from the least that is of use here."""


def target(arch: str, ptx_version: int | None = None) -> Target:
    """The target `arch` with a PTX version, by default the least that has it.

    Raises `CompileError` for an unknown architecture or version, and for a version older than the architecture.
    """
    if arch not in ARCHITECTURES:
        raise CompileError(f"unknown architecture {arch!r}; known are {', '.join(ARCHITECTURES)}")
    number = arch.removeprefix("sm_")
    least = _LEAST_PTX[number]
    version = least if ptx_version is None else ptx_version
    if version not in PTX_VERSIONS:
        known = ", ".join(f"{v} ({shown_version(v)})" for v in PTX_VERSIONS)
        raise CompileError(f"unknown PTX version {version!r}; known are {known}")
    if version < least:
        raise CompileError(
            f"{arch} needs PTX {shown_version(least)} or later, and {shown_version(version)} is asked for"
        )
    return Target(arch, int(number.rstrip("af")), version)


def newest_architecture(capability: int) -> str | None:
    """The newest architecture that PTX is made for and that a GPU of a compute capability, times ten, runs: PTX for an
    older one runs on a newer one. None for a GPU that is older than all."""
    there = [int(number) for number in _LEAST_PTX if number.isdigit() and int(number) <= capability]
    return f"sm_{max(there)}" if there else None


def shown_version(version: int) -> str:
    """78 -> 7.8."""
    return f"{version // 10}.{version % 10}"
