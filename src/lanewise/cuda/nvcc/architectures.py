# SPDX-License-Identifier: Apache-2.0
"""The GPU architectures that a command line names: the one that its sources are compiled for, and those that objects
have PTX for."""

from __future__ import annotations

import re
import sys
from typing import Final

from lanewise.cuda.nvcc.command import NvccCommand
from lanewise.cuda.nvcc.gpu_here import gpu_here
from lanewise.frontend.cuda.architectures import PTX_VERSION
from lanewise.frontend.cuda.nvcc_options import split_architecture
from lanewise.frontend.given_options import DEFAULT_ARCH

_VIRTUAL: Final = re.compile(r"arch=([^,]*)")
"""The virtual architecture of `-gencode arch=compute_80,code=sm_86`."""
_NUMBER: Final = re.compile(r"(?:sm|compute)_(\d+[af]?)")
_OLDEST: Final = next(iter(PTX_VERSION))
_TOO_OLD: Final = re.compile(r"sm_[1-4]\d")
_ALL: Final = ("all", "all-major")
_GENERATIONS: Final = ("sm_50", "sm_60", "sm_70", "sm_80", "sm_90", "sm_100", "sm_120")
"""The architectures of `-arch=all` and `-arch=all-major`: each GPU takes the PTX of its generation, or an older one."""


def source_architecture(command: NvccCommand) -> str | None:
    """The architecture that sources are compiled for: the newest of those given, None if none is. One older than all
    that clang knows becomes the oldest of these, with a note, since programs' makefiles are older than their code."""
    arch = _newest_architecture(command)
    if arch is not None and _TOO_OLD.fullmatch(arch):
        print(
            f"nvcc warning : {arch} is older than what can be compiled for; {_OLDEST} takes its place", file=sys.stderr
        )
        return _OLDEST
    return arch


def gpu_architectures(command: NvccCommand) -> tuple[str, ...]:
    """The virtual architectures that the command line names, oldest first, as `sm_80`: objects have PTX for these, and
    so for all newer ones. None if it names none."""
    named = [
        *command.all("architecture"),
        *(name for text in command.all("generate") for name in _VIRTUAL.findall(text)),
    ]
    found = {f"sm_{number}" for text in named for number in _NUMBER.findall(text)}
    if any(_TOO_OLD.fullmatch(arch) for arch in found):
        found.add(_OLDEST)
    if any(text in _ALL for text in named):
        found.update(_GENERATIONS)
    if "native" in named:
        found.add(_native())
    return tuple(arch for arch in PTX_VERSION if arch in found)


def architecture_words(command: NvccCommand) -> list[str]:
    """The architecture as nvcc's steps show it: CMake reads the default one there."""
    return ["-arch", (_newest_architecture(command) or DEFAULT_ARCH).replace("sm_", "compute_")]


def listed_architectures(prefix: str) -> str:
    """The answer to `--list-gpu-arch` and `--list-gpu-code`: a name a line."""
    return "\n".join(arch.replace("sm_", prefix) for arch in PTX_VERSION if arch[-1].isdigit())


def _newest_architecture(command: NvccCommand) -> str | None:
    given = [f"-arch={name}" for name in command.all("architecture")]
    given += [f"-gencode={text}" for text in command.all("generate")]
    chosen = split_architecture(given)[0]
    return _native() if chosen is None and "native" in command.all("architecture") else chosen


def _native() -> str:
    """The architecture of the GPU in this machine, or the newest that is known before it; without one, the default."""
    capability = gpu_here()
    if capability is None:
        return DEFAULT_ARCH
    known = [arch for arch in PTX_VERSION if arch[-1].isdigit() and int(arch[3:]) <= capability]
    return known[-1] if known else DEFAULT_ARCH
