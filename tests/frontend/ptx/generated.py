# SPDX-License-Identifier: Apache-2.0
"""PTX of our own generators, opened without a compile cache and compiled in this process.

PTX of others is compiled in a child process, which takes some 1.5 s of processor time for each block size. If LLVM
ends this process on generated PTX, that is a finding.
"""

import functools

import lanewise as lw
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.ptx.unit import ptx_unit
from lanewise.frontend.source import Source
from lanewise.frontend.text_unit import TextUnit
from lanewise.program.kernel import Kernel
from lanewise.program.module import Module
from lanewise.workgroup.mapping import mapping_of

from ...fuzz.opening import session


class _Own(TextUnit):
    @property
    def is_foreign(self) -> bool:
        return False


def opened(text: str, kernel: str, mapping: str = "auto") -> Kernel:
    """A kernel of a module. lw.Error for PTX that is refused."""
    unit = _Own(*ptx_unit(Source(text), GivenOptions()))
    return Module(unit, session(), {"mapping": str(mapping_of(mapping))})[kernel]


@functools.cache
def device(name: str) -> lw.Device:
    """A device without a compile cache. "simt" is an H100, which takes every `.target` that the generators write."""
    return session().simulated_gpu(name, "H100", None) if name == "simt" else session().device(name)
