# SPDX-License-Identifier: Apache-2.0
"""What of CUDA's headers there is: tables (README.md says how they are written) and the document made from them."""
