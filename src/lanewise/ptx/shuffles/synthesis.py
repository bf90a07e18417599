# SPDX-License-Identifier: Apache-2.0
"""Shuffle synthesis for a module: emulate each kernel, find candidates, prove them, keep those that pay, rewrite.

Loads are processed in the order of the text. A load that has become a shuffle is no source: results of shuffles aren't
shuffled again. Among several sources the nearest lane is chosen, which has the fewest corner cases.

Source: PTXASW (CC 2023), section 5.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from lanewise.ptx.control.steps import steps_of
from lanewise.ptx.declined import DeclinedError
from lanewise.ptx.language.module import Function, Module
from lanewise.ptx.language.parser import parse
from lanewise.ptx.shuffles.candidates import MOST_LANES, Candidate, Finder
from lanewise.ptx.shuffles.cost import architecture, cycles_of_test, cycles_saved, why_not
from lanewise.ptx.shuffles.fullness import Fullness
from lanewise.ptx.shuffles.iterations import united
from lanewise.ptx.shuffles.missing import why_no_source
from lanewise.ptx.shuffles.proof import Proof, Prover
from lanewise.ptx.shuffles.report import Declined, KernelReport, Replaced
from lanewise.ptx.shuffles.rewriting import LEAST_VERSION, Edit, Rewriter, Shuffle, Style, edited, straight_code
from lanewise.ptx.symbolic.emulator import emulated
from lanewise.ptx.symbolic.execution import Emulation
from lanewise.ptx.symbolic.trace import Printer

_LEAST_ARCHITECTURE = 30
"""First architecture with shuffles (PTX ISA 9.0, 9.7.9.6)."""


@dataclass(frozen=True, slots=True)
class Options:
    """`always`: shuffle even if it doesn't pay. `max_delta`: the largest |N|. `style`: variants of the code. `arch`:
    the GPU that decides whether a shuffle pays, such as "sm_60"; the module's target without it."""

    always: bool = False
    max_delta: int = MOST_LANES
    style: Style = field(default_factory=Style)
    arch: str | None = None


@dataclass(frozen=True, slots=True)
class Synthesis:
    """The rewritten module, as `text` and parsed again as `module`, and the report of each kernel."""

    text: str
    module: Module
    kernels: tuple[KernelReport, ...]

    def as_json(self) -> dict[str, Any]:
        """`{"kernels": [{"name", "loads", "found", "shuffles", "mean_delta", "seconds", "declined"}]}`"""
        return {"kernels": [kernel.as_json() for kernel in self.kernels]}


def synthesise(module: Module, options: Options) -> Synthesis:
    """The module with loads replaced by shuffles."""
    edits: list[Edit] = []
    reports: list[KernelReport] = []
    for kernel in module.kernels:
        report, changes = _Kernel(module, kernel, options).run()
        reports.append(report)
        edits += changes
    if edits and module.version < LEAST_VERSION:
        edits.append(_newer_version(module))
    text = edited(module.source.text, edits)
    return Synthesis(text, parse(text, module.source.file) if edits else module, tuple(reports))


def _newer_version(module: Module) -> Edit:
    start = module.source.starts[1]
    return Edit(start, start + len(module.source.tokens[1]), f"{LEAST_VERSION[0]}.{LEAST_VERSION[1]}")


@dataclass(frozen=True, slots=True)
class _Made:
    """A shuffle with its reasons."""

    shuffle: Shuffle
    candidate: Candidate
    proofs: list[Proof]

    def cycles_saved(self, sm: int) -> int:
        space = self.candidate.access.space
        return min(cycles_saved(sm, space, source.lanes, source.bytes) for source in self.shuffle.sources)


def _needs_a_warp(proofs: list[Proof]) -> bool:
    """True if all lanes of a warp must be active, unlike for a lane's own value."""
    return any(proof.source.lanes or proof.checks for proof in proofs)


class _Kernel:
    def __init__(self, module: Module, function: Function, options: Options) -> None:
        self._module = module
        self._function = function
        self._options = options
        self._target = architecture(module.targets)
        self._sm = architecture((options.arch,)) if options.arch is not None else self._target
        self._printer: Printer | None = None
        self._declined: list[Declined] = []
        self._replaced: list[Replaced] = []
        self._loads = 0
        self._found = 0

    def run(self) -> tuple[KernelReport, list[Edit]]:
        began = time.perf_counter()
        edits: list[Edit] = []
        try:
            edits = self._edits()
        except DeclinedError as declined:
            self._replaced, self._found = [], 0
            self._decline(declined.start, f"the kernel is left as it is: {declined.why}")
        report = KernelReport(
            self._function.name, self._loads, self._found, tuple(self._replaced), tuple(self._declined),
            time.perf_counter() - began, self._printer,
        )  # fmt: skip
        return report, edits

    def _edits(self) -> list[Edit]:
        steps = steps_of(self._function)
        self._loads = sum(_is_counted(step.instruction.opcode) for step in steps.steps)
        if self._target < _LEAST_ARCHITECTURE:
            raise DeclinedError(
                f"shuffles need sm_30, the target is {', '.join(self._module.targets)}", self._function.start
            )
        found = emulated(self._module, self._function)
        self._printer = Printer(self._function, found)
        shuffles = self._choose(found)
        return Rewriter(self._module, self._function, found.flow, self._options.style, self._target).rewrite(shuffles)

    def _choose(self, found: Emulation) -> list[Shuffle]:
        finder, prover = Finder(found), Prover(found)
        fullness = Fullness(found, self._function)
        shuffled: set[int] = set()
        made: list[_Made] = []
        for number in sorted(found.sightings):
            sightings = found.sightings[number]
            candidate = finder.candidate(sightings, shuffled)
            if candidate is None:
                why = why_no_source(self._module, found, finder, number, shuffled)
                if why is not None:
                    self._decline(found.flow.steps[number].instruction.start, why)
                continue
            proofs = self._proven(prover, candidate)
            if proofs is None:
                self._decline(candidate.step.instruction.start, "that a neighbour has its value can't be proven")
                continue
            if _needs_a_warp(proofs) and not fullness.may_be_full(sightings):
                self._decline(candidate.step.instruction.start, "no warp can have all of its lanes here")
                continue
            self._found += 1
            why = self._unwanted(candidate, proofs)
            if why is not None:
                self._decline(candidate.step.instruction.start, why)
                continue
            shuffled.add(number)
            checks = tuple(dict.fromkeys(check for proof in proofs for check in proof.checks))
            together = united(proof.together for proof in proofs)
            shuffle = Shuffle(candidate.step, tuple(proof.source for proof in proofs), checks, together)
            made.append(_Made(shuffle, candidate, proofs))
        kept = made if self._options.always else self._that_pay(found, made)
        for each in kept:
            self._report(each.candidate, each.proofs)
        return [each.shuffle for each in kept]

    def _that_pay(self, found: Emulation, made: list[_Made]) -> list[_Made]:
        """The shuffles that save more cycles than their shared test of iterations costs."""
        groups: dict[tuple[int, int], list[_Made]] = {}
        for each in made:
            if each.shuffle.together.loops:
                groups.setdefault(straight_code(found.flow, each.shuffle.step), []).append(each)
        dropped: set[int] = set()
        for group in groups.values():
            together = united(each.shuffle.together for each in group)
            cost = cycles_of_test(self._sm, len(together.loops) + len(together.wide))
            saved = sum(each.cycles_saved(self._sm) for each in group)
            if saved > cost:
                continue
            why = f"the test that lanes are in the same iteration takes {cost} cycles, {saved} are saved"
            for each in group:
                dropped.add(each.shuffle.step.number)
                self._decline(each.shuffle.step.instruction.start, f"it doesn't pay on sm_{self._sm}: {why}")
        return [each for each in made if each.shuffle.step.number not in dropped]

    def _proven(self, prover: Prover, candidate: Candidate) -> list[Proof] | None:
        """A proof for each element, from the nearest source that has one."""
        proofs: list[Proof] = []
        for place, sources in enumerate(candidate.sources):
            visible = [s for s in sources if candidate.step.scope.register(s.register.name) == s.register]
            near = [s for s in visible if abs(s.lanes) <= self._options.max_delta] or visible
            proof = next((p for s in near if (p := prover.prove(candidate, place, s)) is not None), None)
            if proof is None:
                return None
            proofs.append(proof)
        return proofs

    def _unwanted(self, candidate: Candidate, proofs: list[Proof]) -> str | None:
        """The reason why a load that could be replaced is not; None if it is replaced."""
        for proof in proofs:
            lanes = proof.source.lanes
            if abs(lanes) > self._options.max_delta:
                return f"its value is {abs(lanes)} lanes away, more than {self._options.max_delta}"
        if self._options.always:
            return None
        reasons = [why_not(self._sm, candidate.access.space, p.source.lanes, p.source.bytes) for p in proofs]
        return next((why for why in reasons if why is not None), None)

    # -- reports -----------------------------------------------------------------------------------------------

    def _decline(self, start: int, why: str) -> None:
        self._declined.append(Declined(self._module.source.line(start), why, self._module.program_line(start)))

    def _report(self, candidate: Candidate, proofs: list[Proof]) -> None:
        line = self._module.source.line
        start = candidate.step.instruction.start
        self._replaced.append(
            Replaced(
                line(start), self._module.program_line(start),
                tuple(line(proof.source.step.instruction.start) for proof in proofs),
                tuple(proof.source.lanes for proof in proofs), tuple(proofs),
            )
        )  # fmt: skip


def _is_counted(opcode: str) -> bool:
    """True for a load of global or shared memory."""
    words = opcode.split(".")
    return words[0] in ("ld", "ldu") and not any(w.partition("::")[0] in ("param", "const", "local") for w in words)
