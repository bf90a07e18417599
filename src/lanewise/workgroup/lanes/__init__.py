# SPDX-License-Identifier: Apache-2.0
"""Work-items as lanes: explicit vector code for a region of the kernel."""
