# SPDX-License-Identifier: Apache-2.0
"""Coverage of CUDA's headers: tables, which README.md describes, and the document made from them."""
