# SPDX-License-Identifier: Apache-2.0
"""The kinds of statements that all languages have. They keep what `scope.py` says, so kernels are free of races, and
every barrier is reached by all live work-items or by none."""

from typing import Final

from . import control_flow, group_statements, irregular_loops, private_statements, tangled_loops
from .scope import Scope
from .writer import MAX_DEPTH, MAX_WEIGHT, Kind


def anywhere(scope: Scope) -> bool:
    return True


def together(scope: Scope) -> bool:
    return scope.together


def can_nest(scope: Scope) -> bool:
    return scope.depth < MAX_DEPTH


def can_loop(scope: Scope) -> bool:
    return can_nest(scope) and scope.weight * 3 <= MAX_WEIGHT


KINDS: Final = (
    Kind(private_statements.assign, anywhere, 4),
    Kind(private_statements.step, anywhere, 2),
    Kind(private_statements.declaration, anywhere, 2),
    Kind(private_statements.whole, anywhere, 1),
    Kind(private_statements.change_whole, lambda scope: bool(scope.wholes), 2),
    Kind(group_statements.barrier, together, 2),
    Kind(group_statements.uniform_assign, together, 2),
    Kind(group_statements.swap, together, 4),
    Kind(group_statements.publish, together, 2),
    Kind(group_statements.own_slot, lambda scope: bool(scope.arrays), 4),
    Kind(group_statements.count, lambda scope: bool(scope.counters), 2),
    Kind(group_statements.scan, lambda scope: scope.together and bool(scope.arrays), 1),
    Kind(
        group_statements.share,
        lambda scope: can_nest(scope) and scope.together and bool(scope.arrays or scope.counters),
        3,
    ),
    Kind(group_statements.call_helper, lambda scope: scope.together and bool(scope.helpers), 2),
    Kind(control_flow.jump, lambda scope: bool(scope.escapes or scope.exits), 4),
    Kind(control_flow.if_, can_nest, 4),
    Kind(control_flow.skip, can_nest, 2),
    Kind(control_flow.switch, can_nest, 2),
    Kind(control_flow.loop, can_loop, 4),
    Kind(control_flow.jump_back, can_loop, 2),
    Kind(irregular_loops.drain, can_loop, 3),
    Kind(irregular_loops.climb, can_loop, 2),
    Kind(irregular_loops.walk, can_loop, 2),
    Kind(irregular_loops.along_rows, can_loop, 2),
    Kind(tangled_loops.retry, can_loop, 2),
    Kind(tangled_loops.tangle, can_loop, 2),
    Kind(private_statements.mark, lambda scope: scope.outputs, 1),
)
