# SPDX-License-Identifier: Apache-2.0
"""The kernels, each in a file of OpenCL C and one of Python."""

NAMES = (
    "bilateral", "haar", "heat", "eliminate", "match_lengths", "trial_division", "erode", "panels", "rgb_to_hsv",
    "copy_to_mask", "make_border", "box_filter", "threshold", "hysteresis", "median", "warp_affine", "remap",
    "integral_rows", "row_recurrence", "bfs_pull", "build_list", "compact", "radix_count", "merge_sorted", "lookup",
    "hash_probe", "decision_tree", "collatz", "gcd", "modular_power", "calendar", "permute_tensor", "crc32", "base64",
    "utf8_decode", "bytecode", "philox", "kepler", "ray_march", "neighbour_forces", "reaction_rates",
)  # fmt: skip
