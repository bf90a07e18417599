# SPDX-License-Identifier: Apache-2.0
"""The code of one work-item in each region, and loops of it over the work-items of a group.

work_item_loops     the code of all regions
emission            the parts that the codes of regions share
region_code         the code of one region: once per group, and for each work-item
region_exits        the code after a region, which goes on to the next
storage             the places of values that are saved across barriers
item_code           the code of one work-item, before it becomes that of all
leading_items       regions in which only the first work-items do anything: their loop ends after the last of those
loop_nest           loops over work-items around it
own_thread          the same for a thread with a stack of its own, without loops
iteration_order     accesses that LLVM's vectoriser must leave in order
narrow_indices      indices that LLVM must not make narrower
region_mapper       the interface of other mappings, such as lanes; refusal: the exception by which they decline
"""
