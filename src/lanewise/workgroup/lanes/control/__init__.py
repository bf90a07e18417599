# SPDX-License-Identifier: Apache-2.0
"""Loops over units, and the control flow of their code.

units               the loops over the units of a group, and the versions of their code
control_flow        linearisation with masks
block_masks         masks of blocks and edges, and phis
late_exits          exits from a loop that hardly any work-item takes any more
tested_steps        steps from lane to lane of what a loop carries, tested before it
agreement           a test whether all work-items take one path, as the first and the last say
instructions        the code of one instruction
demote_to_stack     values that no longer dominate their uses
branch_weights      branches that are hardly ever taken
"""
