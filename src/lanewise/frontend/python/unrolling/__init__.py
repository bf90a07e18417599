# SPDX-License-Identifier: Apache-2.0
"""Unroll-and-jam of parallel nests for GPUs: work-items that do several iterations, and share what these load.

shape       the iterations that a work-item does
plan        which axes are unrolled, by how much, and why not
loads       the loads of several iterations, and which of them are the same
pressure    an estimate of the registers that they need
items       the code of an unrolled work-item
alignment   what is known of addresses
"""
