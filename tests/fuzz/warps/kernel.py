# SPDX-License-Identifier: Apache-2.0
"""Random kernels full of operations of warps, in CUDA C++."""

from dataclasses import replace
from typing import Final

from ..choices import Choices
from ..control_flow import fade
from ..cuda import CUDA
from ..kernel import RandomKernel
from ..kernel import random_kernel as random_cuda_kernel
from ..scope import Scope
from ..statements import can_loop, can_nest
from ..writer import Kind
from . import control_flow, operations


def _tracked(scope: Scope) -> bool:
    return bool(scope.members)


def _nests(scope: Scope) -> bool:
    return _tracked(scope) and can_nest(scope)


def _loops(scope: Scope) -> bool:
    return _tracked(scope) and can_loop(scope)


WARPS: Final = replace(
    CUDA,
    kinds=(
        *(kind for kind in CUDA.kinds if kind.write is not fade),  # who fades is at no operation, and has not returned
        Kind(operations.vote, _tracked, 8),
        Kind(operations.shuffle, _tracked, 16),
        Kind(operations.match, _tracked, 6),
        Kind(operations.reduction, _tracked, 6),
        Kind(operations.butterfly, _tracked, 4),
        Kind(operations.mail, _tracked, 8),
        Kind(operations.lead, lambda scope: _tracked(scope) and scope.outputs, 4),
        Kind(operations.active, lambda scope: _tracked(scope) and scope.alone, 4),
        Kind(control_flow.branch, _nests, 16),
        Kind(control_flow.vote_branch, _nests, 6),
        Kind(control_flow.groups, _nests, 6),
        Kind(control_flow.switch, _nests, 6),
        Kind(control_flow.skip, _nests, 6),
        Kind(control_flow.leave, lambda scope: any(target.narrows for target in scope.exits), 12),
        Kind(control_flow.loop, _loops, 12),
        Kind(control_flow.vote_loop, _loops, 4),
    ),
    masks=(
        "0xffffffffu",
        "__ballot_sync(0xffffffffu, true)",
        "item / 32 < ITEMS / 32 ? 0xffffffffu : (1u << ITEMS % 32) - 1",
    ),
)


def random_kernel(choices: Choices) -> RandomKernel:
    return random_cuda_kernel(choices, WARPS)
