# SPDX-License-Identifier: Apache-2.0
"""The kernels, each in a file of OpenCL C and one of Python."""

NAMES = ("bilateral", "haar", "heat", "eliminate", "match_lengths", "trial_division", "erode", "panels")
