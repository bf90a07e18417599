# SPDX-License-Identifier: Apache-2.0
"""Samples that `bench/cpu` doesn't have, each in a file of OpenCL C and one of Python."""
