# SPDX-License-Identifier: Apache-2.0
"""Small kernels to be emulated, and addresses for given numbers of iterations."""

from __future__ import annotations

import lanewise as lw
from lanewise.ptx.symbolic.emulator import emulated
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.terms import Atom, Term

HEAD = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_0, .param .u32 k_1)
{
    .reg .pred %p<40>;
    .reg .b32 %r<90>;
    .reg .b64 %d<40>;
    .reg .f32 %f<40>;
    .reg .b64 %a;
    .reg .b32 %n, %x;
    .shared .align 4 .b32 sm;
    ld.param.u64 %a, [k_0];
    ld.param.u32 %n, [k_1];
    mov.u32 %x, %tid.x;
"""


def emulation(body: str) -> Emulation:
    """Of a kernel with %a and %n as parameters and %x as its place."""
    module = lw.ptx.parse(HEAD + body + "\n    ret;\n}\n")
    return emulated(module, module.kernels[0])


def loads(found: Emulation) -> list[list[Term]]:
    """For each load of global memory, in the order of the text, the addresses in its flows."""
    return [[sighting.access.address for sighting in found.sightings[number]] for number in sorted(found.sightings)]


def inner(term: Term) -> set[Atom]:
    """All atoms of a term, those within others included."""
    found: set[Atom] = set()
    work = [term]
    while work:
        for atom in work.pop().atoms():
            if atom not in found:
                found.add(atom)
                work += atom.args
    return found
