# SPDX-License-Identifier: Apache-2.0
"""Control flow of a PTX function.

steps       its linear code, with unique names for the registers of nested blocks
blocks      basic blocks, their order, loops
liveness    live registers
"""
