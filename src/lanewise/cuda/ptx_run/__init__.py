# SPDX-License-Identifier: Apache-2.0
"""A C library that runs PTX, for programs with a mock GPU: the function `ptx_run` of gpuocelot.

ptx_run.c   the function, over the host runtime, which asks the compile service for each kernel
library     the library, built
"""
