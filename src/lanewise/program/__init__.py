# SPDX-License-Identifier: Apache-2.0
"""What `lw.compile` returns: modules, their kernels and their variables."""
