# SPDX-License-Identifier: Apache-2.0
"""Views of the CPU device's code: reports, remarks, IR after each step, assembly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from lanewise.backend.host.features import has_fused_multiply_add
from lanewise.cache import Cache
from lanewise.child import guarded
from lanewise.device.cpu.machine_code import machine_code, mapping_wanted, size_of_code
from lanewise.device.launch import Extent
from lanewise.device.program import Program
from lanewise.ir.debug_info import LINES_WANTED, directives_only
from lanewise.workgroup.launch_assumptions import ALL

if TYPE_CHECKING:
    from lanewise.pipelines.drive import Stage, View
    from lanewise.pipelines.report import KernelReport


@final
class CpuInspection:
    """See `device.base.Inspection`."""

    def __init__(self, cache: Cache) -> None:
        self._cache: Final = cache

    def report(self, program: Program, kernel: str, block: Extent, terms: str) -> KernelReport:
        from lanewise.pipelines.report import examine

        fused, mapping = has_fused_multiply_add(), mapping_wanted(program)
        return examine(program.linked(fused=fused), kernel, program.kernel_name(kernel), block, fused, mapping, terms)

    def remarks(self, program: Program, kernel: str, block: Extent | None) -> tuple[str, ...]:
        size = None if block is None else size_of_code(program, kernel, block)
        facts = machine_code(program, kernel, size, ALL, self._cache).facts
        if not facts.is_unsure or not facts.other_mapping:
            return facts.remarks
        from lanewise.device.cpu.choices import remarks_with_choice  # few kernels leave one

        return remarks_with_choice(facts, program, kernel, size, ALL, self._cache)

    def stages(self, program: Program, kernel: str, block: Extent | None, view: View) -> list[Stage]:
        from lanewise.pipelines.cpu import stages

        fused, mapping = has_fused_multiply_add(), mapping_wanted(program)
        text, what = program.linked(fused=fused), f"{program.name}: kernel {kernel}"
        return guarded(program.foreign, what, stages, text, kernel, block, fused, mapping, view)

    def assembly(self, program: Program, kernel: str, block: Extent | None) -> str:
        from lanewise.backend.host.compile import assembly

        what = f"{program.name}: machine code"
        if LINES_WANTED not in program.ir():
            from lanewise.pipelines.drive import View

            last = "work-group"
            text = self.stages(program, kernel, block, View(last, texts=frozenset({last})))[-1].text or ""
            return guarded(program.foreign, what, assembly, text)
        from lanewise.pipelines.cpu import ir_with_lines

        fused, mapping = has_fused_multiply_add(), mapping_wanted(program)
        whole, of_kernel = program.linked(fused=fused), f"{program.name}: kernel {kernel}"
        text = guarded(program.foreign, of_kernel, ir_with_lines, whole, kernel, block, fused, mapping)
        return guarded(program.foreign, what, assembly, directives_only(text))
