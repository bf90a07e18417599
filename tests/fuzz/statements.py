# SPDX-License-Identifier: Apache-2.0
"""All kinds of statements. They keep what `scope.py` says, so kernels are free of races, and every barrier is reached
by all live work-items or by none."""

from typing import Final

from . import control_flow, group_statements, private_statements
from .scope import Scope
from .writer import MAX_DEPTH, MAX_WEIGHT, Kind


def _anywhere(scope: Scope) -> bool:
    return True


def _together(scope: Scope) -> bool:
    return scope.together


def _can_nest(scope: Scope) -> bool:
    return scope.depth < MAX_DEPTH


def _can_loop(scope: Scope) -> bool:
    return _can_nest(scope) and scope.weight * 3 <= MAX_WEIGHT


KINDS: Final = (
    Kind(private_statements.assign, _anywhere, 4),
    Kind(private_statements.step, _anywhere, 2),
    Kind(private_statements.exchange, _anywhere, 1),
    Kind(private_statements.declaration, _anywhere, 2),
    Kind(private_statements.whole, _anywhere, 1),
    Kind(private_statements.function, _anywhere, 1),
    Kind(private_statements.change_whole, lambda scope: bool(scope.wholes), 2),
    Kind(private_statements.output, lambda scope: scope.outputs, 2),
    Kind(private_statements.own_atomic, lambda scope: scope.outputs, 1),
    Kind(private_statements.print_values, lambda scope: scope.outputs and scope.prints and scope.weight == 1, 1),
    Kind(private_statements.fault, lambda scope: scope.faults, 2),
    Kind(group_statements.barrier, _together, 2),
    Kind(group_statements.uniform_assign, _together, 2),
    Kind(group_statements.swap, _together, 4),
    Kind(group_statements.vote, _together, 2),
    Kind(group_statements.own_slot, lambda scope: bool(scope.arrays), 4),
    Kind(group_statements.count, lambda scope: bool(scope.counters), 2),
    Kind(group_statements.scan, lambda scope: scope.together and bool(scope.arrays), 1),
    Kind(
        group_statements.share,
        lambda scope: _can_nest(scope) and scope.together and bool(scope.arrays or scope.counters),
        3,
    ),
    Kind(group_statements.call_helper, lambda scope: scope.together and bool(scope.helpers), 2),
    Kind(control_flow.jump, lambda scope: bool(scope.escapes or scope.targets), 4),
    Kind(control_flow.if_, _can_nest, 4),
    Kind(control_flow.skip, _can_nest, 2),
    Kind(control_flow.switch, _can_nest, 2),
    Kind(control_flow.loop, _can_loop, 4),
    Kind(control_flow.jump_back, _can_loop, 2),
    Kind(control_flow.fade, lambda scope: _can_loop(scope) and scope.together and bool(scope.escapes), 2),
)
