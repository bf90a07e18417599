# SPDX-License-Identifier: Apache-2.0
"""Launches of checked programs, and what is told of their faults."""
