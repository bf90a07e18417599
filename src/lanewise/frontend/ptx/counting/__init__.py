# SPDX-License-Identifier: Apache-2.0
"""Counters in PTX: how often each warp comes by, and what its accesses to memory cost.

sites       the places that are counted, and where their counters are
weave       counts while a function runs
library     what one instruction of a warp asks of the memory system, in C
"""
