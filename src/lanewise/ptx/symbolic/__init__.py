# SPDX-License-Identifier: Apache-2.0
"""The symbolic emulator of PTX.

terms           bit vectors as polynomials, with their variation between lanes
operations      operations other than sums and products
instructions    the result of each instruction
environment     operands, special registers
slicing         the relevant instructions
memory, state   accesses, and the state of a path
loops           one iteration as a model for all, and loops with lanes out of step
parting         steps at which lanes may diverge without a branch
emulator        all paths through a function
execution       one step in one state
translation,
solver          questions for Z3
z3_module       Z3 itself, an optional dependency
trace           the accesses, as text

Source: PTXASW (CC 2023), section 4.
"""
