# SPDX-License-Identifier: Apache-2.0
"""Kernels out of kernel IR, on devices that keep what they compile no longer than the process lasts: no random kernel
comes twice."""

import functools
import hashlib
from collections.abc import Callable, Sequence

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.base import Device, OpenProgram
from lanewise.device.cpu import CpuDevice
from lanewise.device.cpu.trials import ALWAYS
from lanewise.device.program import Program
from lanewise.frontend.description import describe
from lanewise.frontend.given_options import GivenOptions
from lanewise.frontend.info import KernelInfo
from lanewise.frontend.ptx.unit import ptx_unit
from lanewise.frontend.source import Source
from lanewise.ir.reader import read_module
from lanewise.program.kernel import Kernel
from lanewise.program.memory.staging import StagedProgram
from lanewise.program.source.products import Products
from lanewise.program.source.translation import translate
from lanewise.session import Session

from .codes import KernelCodes, code_cache, code_folder
from .mappings import BOTH, THROUGH_PTX


@functools.cache
def session() -> Session:
    """Devices whose compile cache is this process's own."""
    return Session(Config(cache_dir=code_folder(), num_threads=2, device="cpu"))


@functools.cache
def any_size() -> Device:
    """The CPU device with code for any local size."""
    return CpuDevice(code_cache(), 2, specialise=False)


@functools.cache
def both_mappings() -> Device:
    """The CPU device whose launches try the other mapping of each kernel that may have one."""
    return CpuDevice(code_cache(), 2, trials=ALWAYS)


def simt() -> Device:
    return session().device("simt")


Opener = Callable[[str], Kernel]
"""Gives a kernel for a mapping of the CPU device, opened on no device yet each time."""


def kernel_info(text: str) -> KernelInfo:
    """The description of the one kernel in a text of kernel IR."""
    (found,) = describe(read_module(text), (), {}, ()).kernels
    return found


def is_left_to_launches(key: str) -> bool:
    """Return True for one kernel in ten, which launches compile as they do a user's: nothing is shared by mappings."""
    return int(key[:8], 16) % 10 == 0


def opener(
    text: str, symbol: str, name: str, block: Sequence[int], libraries: Cache | None = None,
    info: KernelInfo | None = None,
) -> Opener:  # fmt: skip
    """Do as `Module` with IR that it trusts, for one kernel, launched with work-groups of the extents `block`.
    `libraries` keeps the library functions that it calls; None: it calls none. `info`: of the kernel, where the IR
    doesn't say it."""
    found = info or kernel_info(text)
    x, y, z = (*block, 1, 1)[:3]
    key = hashlib.sha256(text.encode()).hexdigest()
    codes = None if is_left_to_launches(key) else KernelCodes(symbol, (x, y, z))

    def product(form: str, target: str) -> str:
        return text if libraries is None else Products(key, name, lambda: text, libraries)(form, target)

    def kernel(mapping: str) -> Kernel:
        if mapping == THROUGH_PTX:
            products = Products(key, name, lambda: text, libraries or Cache(None))
            ptx = products("simulated-ptx", simt().capabilities.arch)
            through = translate(ptx_unit(Source(ptx), GivenOptions()), {}, Cache(None)).program
            ours = through._replace(foreign=False)  # compiled in this process: a child takes 1.5 s a block size
            staged = StagedProgram(simt().open(ours))
            return Kernel(lambda device: staged, name, found.signature, found.shared_bytes, found.bounds)
        program = Program(
            key, name, product, {symbol: name}, options={"mapping": "auto" if mapping == BOTH else mapping}
        )

        @functools.cache
        def opened(device: Device | str | None) -> OpenProgram:
            chosen = session().device(device or "cpu") if isinstance(device, str | None) else device
            if codes and chosen in (session().device("cpu"), both_mappings()):
                codes.make(program, also_other=chosen is both_mappings())
            return chosen.open(program)

        return Kernel(opened, name, found.signature, found.shared_bytes, found.bounds)

    return kernel
