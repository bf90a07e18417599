# SPDX-License-Identifier: Apache-2.0
"""A kernel in Python, compiled for arguments of certain types, and the report on all of a function."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lanewise.frontend.python.python_types import Type
from lanewise.frontend.python.region import PythonRegion
from lanewise.program.arguments.geometry import Size
from lanewise.program.kernel import Kernel
from lanewise.program.module import Module


class SpecialisedKernel(NamedTuple):
    """A kernel for arguments of certain types. `blocks`: the first few sizes of blocks that it was launched with."""

    module: Module
    kernel: Kernel
    types: Mapping[str, Type]
    blocks: list[Size]


def inspected_kernel(region: PythonRegion, kernels: Sequence[SpecialisedKernel]) -> str:
    """The report on a kernel that has been launched."""
    count = f"{len(kernels)} compiled {'kernel' if len(kernels) == 1 else 'kernels'}"
    lines = [f"{region.name}: {count}", f"{region.file}:{region.line}: a kernel"]
    for made in kernels:
        types = ", ".join(f"{name}: {type_.name}" for name, type_ in made.types.items())
        lines.append(f"  for {types or 'no arguments'}")
        if made.kernel.shared_bytes:
            lines.append(f"    {made.kernel.shared_bytes} bytes of shared memory")
        lines += [f"    block {block}: cpu, {line}" for block in made.blocks for line in made.kernel.remarks(block)]
    return "\n".join(lines)
