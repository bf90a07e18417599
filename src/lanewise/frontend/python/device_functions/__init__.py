# SPDX-License-Identifier: Apache-2.0
"""Functions that only the work-items of a kernel call: what `lw.global_id` and the like become.

call          their arguments, by the signature that users see
places        numbers and sizes of work-items and work-groups
group_arrays  arrays shared by a work-group, and arrays of one work-item
barriers      barriers and fences
atomics       read-modify-write of elements
warps         shuffles, votes
"""
