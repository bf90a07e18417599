# SPDX-License-Identifier: Apache-2.0
"""Facts about kernel IR: pure functions with immutable results, printable beside the IR."""
