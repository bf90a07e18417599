# SPDX-License-Identifier: Apache-2.0
"""Replacement of loads that a neighbour in the warp has done already by warp shuffles.

forms        addresses as a stem, a constant, and a stride from lane to lane
candidates   pairs of loads: one has the value of the other, N lanes on
missing      the reason if there is none although an address would match
proof        equivalence of old and new code, by Z3
overflow     run-time check that a 32-bit index doesn't wrap round within a warp
iterations   run-time test that all lanes are in the same iteration of a loop
fullness     test if a warp can have all of its lanes at a load
cost         profitability of a shuffle on an architecture
rewriting    the new code, as edits of the text
synthesis    all of these steps for a module
report       the results, for people and as JSON

Source: PTXASW (CC 2023), section 5.
"""
