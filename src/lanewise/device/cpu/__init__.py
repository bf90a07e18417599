# SPDX-License-Identifier: Apache-2.0
"""The CPU: all cores of the host, kernels as machine code for its real instruction set.

device                    CpuDevice: launches
kernels, out_of_line      machine code of a kernel, and of functions that kernels share, loaded into this process
machine_code, saving      sources of the machine code, and its files in a saved module
trials, choices           another mapping, tried by launches; what they have chosen
background                compilations that no launch waits for
tables, variables         addresses that code finds at run time: variables of the program, functions
inspection                reports, remarks, IR after each step, assembly
report                    the message of a failed launch
line_table, source_line   the line of the source that an instruction comes from
extents                   overlap between arrays of a launch
bandwidth                 how fast memory is, for comparison
"""

from lanewise.cache import Cache
from lanewise.config import Config
from lanewise.device.cpu.device import CpuDevice


def open_device(cache: Cache, config: Config) -> CpuDevice:
    """The CPU with as many threads as the session's settings say."""
    return CpuDevice(cache, config.num_threads)


__all__ = ["CpuDevice", "open_device"]
