# SPDX-License-Identifier: Apache-2.0
"""The measurements of pocl's paper (pocl-2014, section 6) on Lanewise: samples as AMD's SDK has them, loops inside
loops, and mathematical functions of vectors."""
