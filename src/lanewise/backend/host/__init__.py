# SPDX-License-Identifier: Apache-2.0
"""Machine code for the processor that this process runs on.

compile     host IR in, a shared object or assembly out
features    which processor this is, told without loading LLVM
"""
