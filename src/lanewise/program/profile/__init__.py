# SPDX-License-Identifier: Apache-2.0
"""Counters of a kernel's launch: what a GPU would have had to do, by line.

counting    a module whose kernels count, and its launches
aligned     arguments whose arrays begin a sector
classes     the kinds of instructions
counts      the counters of each instruction
lines       those of each line, with its source
advice      sentences on what is slow, and what would mend it
roofline    occupancy, and the limits that a launch meets on a GPU
registers   registers of a thread, by ptxas or estimated
profile     what `kernel.profile` returns
table       the same as text
chart       the same as a picture
"""
