# SPDX-License-Identifier: Apache-2.0
"""Functions that can't be inlined: what calls pass along, and the object that holds them (see `functions.py`)."""
