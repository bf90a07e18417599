# SPDX-License-Identifier: Apache-2.0
"""The ways through the compiler, each a literal list of steps."""
