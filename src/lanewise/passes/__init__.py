# SPDX-License-Identifier: Apache-2.0
"""Passes over the kernel IR, one per file: `run(function, ...) -> bool` returns whether it changed the function, or the
module for those that take one.

contract_multiply_add    products and sums that are rounded together, decided once for all devices
drop_noalias             no `noalias` across barriers
assume_noalias           `noalias` for what is written in loops; the launch checks it
copy_byval               structs that are passed by value, copied for each work-item
mark_global_ids          no overflow in global ids, if the launch is small enough
return_at_exit           `exit` of a thread as a return from the kernel
split_inductions         counters as a start and a count, in loops with barriers
widen_indices            index arithmetic in 64 bits
lower_computed_goto      branches to addresses of labels as switches; front ends run it
freeze_element_indices   numbers of a vector's elements that may not be poison
scale_in_one_instruction  products with powers of two in the mathematical library
compose_linear_steps     chains of products and sums with constants, where they may be reassociated
round_by_remainder       sums rounded downwards, of bounded products, in their own format
thread_repeated_tests    code after a test in two versions, if it tests the same again; for loops over work-items
load_shifted_vectors     vectors put together of neighbours in memory, by one load; for loops over work-items
load_bits_as_words       vectors of bits in memory as integers
inline_texture_fetches   texels of 32-bit channels by loads
expand_funnel_shifts     funnel shifts as two shifts
know_sub_group_size      the size of a kernel's sub-groups as a number
expand_matrix_rows       rows that a warp loads or stores as accesses of its lanes; for the reference device
unroll_remainders        what an unrolled loop leaves, four turns at once; for GPUs
unroll_private_arrays    loops unrolled as a whole that keep an array out of registers
copy_in_words            copies and fills of structs by wide accesses; for GPUs
bypass_64_bit_division   64-bit divisions of small operands in 32 bits; for GPUs
sum_absolute_differences  |a - b| + c by one instruction; for GPUs
version_by_alignment     loops in two versions, one for rows that turn out to be aligned; for GPUs
eliminate_dead_stores    stores that nobody reads; for GPUs
reuse_loads              partial redundancy elimination of loads; for GPUs
speculate                arithmetic of divergent arms before their branch; for GPUs
reassociate_pointer_arithmetic  addresses from others at known distances; for GPUs
step_pointers            pointers that a loop steps, in place of products with its counter; for GPUs
hoist_address_terms      addresses of which a part is computed before the loop; for GPUs
merge_counters           counters of a loop that only end it, replaced by others; for GPUs
narrow_comparisons       comparisons of small 64-bit integers in 32 bits; for GPUs
narrow_shared_addresses  addresses in shared memory in 32 bits; for GPUs
recover_pointers         pointers in place of addresses that PTX computes as integers; the front end of PTX runs it
"""
