# SPDX-License-Identifier: Apache-2.0
"""The symbolic emulator of PTX.

terms           bit vectors as polynomials, with what differs between lanes
operations      operations that are no sums and products
instructions    what each instruction computes
environment     operands, special registers
slicing         which instructions matter
memory, state   accesses, and what a flow knows
loops           one iteration that stands for all, and where lanes may be in different ones
parting         steps at which lanes may part, though no branch is there
emulator        all flows through a function
execution       one step in one state
translation,
solver          questions for Z3
z3_module       Z3 itself, which is an extra
trace           what was accessed, as text

Source: PTXASW (CC 2023), section 4.
"""
