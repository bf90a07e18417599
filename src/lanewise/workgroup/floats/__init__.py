# SPDX-License-Identifier: Apache-2.0
"""Operations on floating-point numbers that the host has no instruction for, in terms of those that it has."""
