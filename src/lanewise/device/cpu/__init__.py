# SPDX-License-Identifier: Apache-2.0
"""The CPU: all cores of the host, kernels as machine code for its real instruction set."""

from lanewise.device.cpu.device import CpuDevice

__all__ = ["CpuDevice"]
