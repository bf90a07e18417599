# SPDX-License-Identifier: Apache-2.0
"""The parameters of a region's kernel: how a launch packs them, and which are outputs."""

import struct
from collections.abc import Sequence
from typing import Final

from lanewise.device.launch import Parameters
from lanewise.frontend.python.bounds import FAULTS
from lanewise.frontend.python.python_types import Number
from lanewise.frontend.python.region import PythonRegion
from lanewise.frontend.python.watching import WATCHED
from lanewise.frontend.signature import Parameter
from lanewise.jit.arguments import number_named

_FORMATS: Final = {
    "|b1": "?", "<i1": "b", "<i2": "h", "<i4": "i", "<i8": "q", "<u1": "B", "<u2": "H", "<u4": "I", "<u8": "Q",
    "<f2": "e", "<f4": "f", "<f8": "d",
}  # fmt: skip


def passing_of(parameters: tuple[Parameter, ...]) -> Parameters:
    """The layout in which a launch packs the arguments."""
    formats = ["Q" if each.kind == "pointer" else _FORMATS[str(each.layout)] for each in parameters]
    return Parameters(
        tuple(each.name for each in parameters),
        tuple(each.kind == "pointer" and each.const for each in parameters),
        struct.Struct("@" + "".join(formats)),
    )


def results_of(
    region: PythonRegion, parameters: tuple[Parameter, ...], arrays: Sequence[str]
) -> tuple[tuple[str, Number], ...]:
    """The outputs among the parameters: those for which no value is passed. `arrays`: those among the inputs."""
    inputs = set(region.inputs)
    return tuple(
        (each.name, number_named(each.ctype.removesuffix(" *"), str(each.layout)))
        for each in parameters
        if each.kind == "pointer"
        and each.name not in (FAULTS, WATCHED, *arrays)
        and each.name.partition(".")[0] not in inputs - set(region.outputs)
    )
