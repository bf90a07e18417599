# SPDX-License-Identifier: Apache-2.0
"""Loads that a neighbour in the warp has done already, replaced by warp shuffles.

forms        addresses as a stem, a constant, and a stride from lane to lane
candidates   which load has the value that another one loads, N lanes on
missing      why there is none although an address would fit
proof        that old and new code deliver the same value, by Z3
overflow     the check, at run time, that a 32-bit index doesn't wrap round within a warp
iterations   the test, at run time, that all lanes are in the same iteration of a loop
fullness     whether a warp can have all of its lanes at a load
cost         whether a shuffle pays on an architecture
rewriting    the new code, as changes of the text
synthesis    all of that for a module
report       what was done, for people and as JSON

Source: PTXASW (CC 2023), section 5.
"""
