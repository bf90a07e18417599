# SPDX-License-Identifier: Apache-2.0
"""Operations on floating-point numbers that the host has no instruction for, in terms of those that it has.

expansions                          the table
builder                             making floating-point code
directed_rounding, exact_errors     stated roundings, by the exact error of rounding to nearest
narrow                              half and bfloat
saturating                          conversions to integers
approximations                      the GPU's approximate instructions
"""
