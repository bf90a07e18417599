# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of all work-items of a unit.

accesses                        the kind of access, by what is known of the address
runs, fields, strided, records  elements side by side; several fields at an address, by wide accesses and shuffles
pairs                           two fields of 32 bits, by gathers and scatters of 64
grouped                         accesses that are such fields together
pending                         accesses that are made at another place than in the program
transposed, shuffles            columns; networks of shuffles
blended_stores                  masked stores to memory of the group, as plain ones
neighbours, clamped, counted    tests at run time whether lanes are neighbours
deciding                        the value that such a test looks at
chosen                          loads in one of two arrays, by two vectors
wrapping                        addresses whose index may wrap round
one_lane                        values of one lane, by scalars
nontemporal_stores, prefetch    stores past the caches, and prefetches that go with them
prefetch_strides                prefetches for later iterations
copies                          copies of structs
access_notes                    notes of accesses for the search for races
atomics                         atomic operations
"""
