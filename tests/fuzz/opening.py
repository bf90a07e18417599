# SPDX-License-Identifier: Apache-2.0
"""Kernels out of kernel IR, on devices that keep nothing of what they compile: no random kernel comes twice."""

import functools
import hashlib
from collections.abc import Callable

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.base import Device, OpenProgram, Program, as_it_is
from lanewise.device.cpu import CpuDevice
from lanewise.frontend.description import describe
from lanewise.program.kernel import Kernel
from lanewise.session import Session
from lanewise.workgroup.mapping import mapping_of


@functools.cache
def session() -> Session:
    """Devices without a compile cache."""
    return Session(Config(cache_dir=None, num_threads=2, device="cpu"))


@functools.cache
def any_size() -> Device:
    """The CPU device with code for any local size."""
    return CpuDevice(Cache(None), 2, specialise=False)


Opener = Callable[[str], Kernel]
"""Gives a kernel for a mapping of the CPU device, opened on no device yet each time."""


def opener(text: str, symbol: str, name: str, link: Callable[[str, bool], str] = as_it_is) -> Opener:
    """What `Module` does with IR that it trusts, for one kernel."""
    (found,) = describe(text, (), {}, ()).kernels
    key = hashlib.sha256(text.encode()).hexdigest()

    def kernel(mapping: str) -> Kernel:
        program = Program(key, name, lambda: text, {symbol: name}, link=link, mapping=mapping_of(mapping))

        @functools.cache
        def opened(device: Device | str | None) -> OpenProgram:
            return (session().device(device) if isinstance(device, str | None) else device).open(program)

        return Kernel(opened, name, found.signature, found.shared_bytes, found.bounds)

    return kernel
