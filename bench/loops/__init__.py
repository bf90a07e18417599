# SPDX-License-Identifier: Apache-2.0
"""Loops in Python, compiled by `@lw.jit` and by Numba from the same source, beside NumPy: python -m bench.loops"""
