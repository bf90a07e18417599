# SPDX-License-Identifier: Apache-2.0
"""Errors of the mathematical library on a GPU: python -m bench.ulp.on_gpu

A machine with compilers packs machine code (`packing`); a machine with a GPU computes (`playing`): functions of one
float at all 2^32, each result beside CUDA's own function in double precision, others at points whose results it takes
down; MPFR judges these and the worst of the floats where gmpy2 is installed (`judging`). They needn't be the same
machine. `sources` has the CUDA C++.
"""
