# SPDX-License-Identifier: Apache-2.0
"""Register tiling of parallel nests: work-items that do several rows, and reuse what they load.

plan                 which nests are tiled, and how
fitness, packing     its conditions: on bodies, and on columns that are copied first
rows                 statements for one row, and for several side by side
items, group         the code of a tiled work-item; the rows and columns of its work-group
flow, memory         loops and conditions that the source doesn't have, and a work-item's own arrays
"""
