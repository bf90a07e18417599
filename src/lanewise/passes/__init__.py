# SPDX-License-Identifier: Apache-2.0
"""Passes over the kernel IR, one per file: `run(function, ...) -> bool` returns whether it changed the function.

contract_multiply_add    products and sums that are rounded together, decided once for all devices
drop_noalias             no `noalias` across barriers
assume_noalias           `noalias` for what is written in loops; the launch checks it
copy_byval               structs that are passed by value, copied for each work-item
widen_indices            index arithmetic in 64 bits
expand_funnel_shifts     funnel shifts as two shifts
"""
