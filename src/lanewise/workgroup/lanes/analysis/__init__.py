# SPDX-License-Identifier: Apache-2.0
"""The layout of work-items in lanes, and the facts about their code that decide it.

plan, cost_model                vectors, chunks and the axis of both; which choice is best
mapping_costs                   what code costs in lanes, and in a loop over work-items
instruction_costs               what instructions cost in either, by processor
ids                             shapes of the work-items' ids
budget, remarks                 a bound on the code of a kernel; reasons why it is slow
order                           the order of blocks in linearised control flow
checks                          branches that all work-items of a unit are likely to take alike
fault_branches                  branches of checked kernels, to code that tells of a fault
row_loops, counted_loops        loops along rows, by several elements per iteration
interleave_groups               accesses at constant distances from each other
chosen_bases                    addresses of neighbours in one of two arrays
elements, record_layout         elements of an access; fields that are loaded at once
nontemporal                     arrays that may be stored to past the caches
"""
