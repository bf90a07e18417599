# SPDX-License-Identifier: Apache-2.0
"""Launches of checked programs, and what is told of their faults.

asked           the checks of a compilation
opened          a checked program on a device
faults          faults, read from the report of a launch
seen_races      the same of races that a device has found by itself
messages        the text of faults
rules           the classes of faults
suppressions    places whose faults are not told
records         faults as data, in a file
telling         faults of a launch, told
packed_unit     kernel IR that a program carries
program_launch  launches of the host runtime
"""
