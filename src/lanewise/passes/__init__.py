# SPDX-License-Identifier: Apache-2.0
"""Passes over the kernel IR, one a file: a function `run(function, ...) -> bool` that tells whether it changed it."""
