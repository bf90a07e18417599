# SPDX-License-Identifier: Apache-2.0
"""Control flow of a PTX function.

steps       its instructions in one row, with the names of nested blocks told apart
blocks      basic blocks, their order, loops
liveness    which registers are read later
"""
