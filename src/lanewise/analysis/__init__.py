# SPDX-License-Identifier: Apache-2.0
"""Facts about kernel IR: pure functions with immutable results, printable beside the IR.

call_graph, references      calls in a module, and functions that can't be inlined; symbols that others refer to
repeated_functions          large functions that a large program calls from several places
uniformity                  values and branches that are the same for all work-items of a group
shapes, divergence          how values differ between the lanes of a vector
wrapping                    addresses whose steps are known unless an index wraps round, or lanes left loops apart
widths                      the bits that an integer takes
dataflow                    the solver of dataflow equations
flow, influence             control flow within a region; masks and joins after a divergent branch
spinning                    loops that wait for what other work-items write
item_values                 integers as sums of ids
exchanges, private_arrays   accesses to shared memory within a warp; arrays of one work-item
memory_objects, origins     objects that a pointer may point into
addresses                   addresses as sums of a base, values and a constant
address_polynomials         addresses as sums of products, which phis are put into
aliases                     accesses that touch no byte, perhaps one, or the same bytes
available_values            values that loads or stores before a load have had
live_registers              an estimate of the registers that a GPU needs
ordering, traffic           code that orders work-items; arrays that are read and written
denormals                   kernels whose denormal numbers may count as 0
"""
