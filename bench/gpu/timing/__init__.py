# SPDX-License-Identifier: Apache-2.0
"""Times of kernels on a GPU, by each compiler: python -m bench.gpu.timing

A machine with compilers packs machine code into a folder (`packing`), a machine with a GPU plays it (`playing`), and
the numbers become tables (`tables`): they needn't be the same machine. Playing needs NumPy and `cuda-bindings` alone.
`large` has a size of each kernel that fills a GPU, `driver` the calls of NVIDIA's driver, `outputs` how results
compare, `records` files that come from elsewhere.
"""
