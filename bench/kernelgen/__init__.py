# SPDX-License-Identifier: Apache-2.0
"""The KernelGen suite, in CUDA C++: where shuffles of a warp can replace loads (PTXASW, CC 2023, Table 2).

`kernels/NAME.cu` holds a kernel each, laid out as an OpenACC compiler does: the outermost parallel loop is blockIdx.x,
the innermost threadIdx.x, with blockIdx.y for its tiles, and a loop between them blockIdx.z. `suite.py` is the table.
`loops.py` makes of each kernel one with loops, whose bounds are known at run time.
"""
