# SPDX-License-Identifier: Apache-2.0
"""The CPU: all cores of the host, kernels as machine code for its real instruction set.

device                    CpuDevice: launches
kernels, outlined         machine code of a kernel, and of functions that kernels share, loaded into this process
machine_code, saving      sources of the machine code, and its files in a saved module
tables, variables         addresses that code finds at run time: variables of the program, functions
report                    the message of a failed launch
line_table, source_line   the line of the source that an instruction comes from
extents                   overlap between arrays of a launch
bandwidth                 how fast memory is, for comparison
"""

from lanewise.device.cpu.device import CpuDevice

__all__ = ["CpuDevice"]
