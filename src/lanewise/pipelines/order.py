# SPDX-License-Identifier: Apache-2.0
"""Pairs of steps whose order matters, each with its reason: in every table that has both, the first comes first."""

from __future__ import annotations

from typing import Final

ORDER: Final[tuple[tuple[str, str, str], ...]] = (
    ("contract-multiply-add", "isolate", "every device decides on the same code, before anything is inlined"),
    ("contract-multiply-add", "inline", "inlining would bring products next to sums that are far apart in the source"),
    ("contract-multiply-add", "optimise", "LLVM would fuse what no other device fuses"),
    ("define-grid-sync", "prepare-symbols", "its definitions become internal as all others do"),
    ("drop-warp-waits", "check-capabilities", "a function that nobody defines is refused"),
    ("inline-texture-fetches", "isolate", "what it calls is inlined with all else"),
    ("mark-positions", "isolate", "marks need the debug information that isolate reduces to line tables"),
    ("isolate", "copy-byval", "only the kernel that stays has parameters of its own"),
    ("isolate", "hide-opencl-limits", "what counts groups is asked of the functions that are reached"),
    ("hide-opencl-limits", "inline", "LLVM infers ranges as soon as it simplifies"),
    ("drop-noalias", "inline", "inlining turns noalias of parameters into metadata of accesses"),
    ("drop-noalias", "optimise", "LLVM believes noalias across barriers"),
    ("simplify-callees", "inline", "a function is simplified once, not at each call"),
    ("inline", "return-at-exit", "a return ends the thread in the kernel only"),
    ("return-at-exit", "thread-jumps", "what returns early gets an edge of its own"),
    ("inline", "thread-jumps", "an early return joins its caller's control flow when it is inlined"),
    (
        "inline",
        "freeze-element-indices",
        "the inliner takes arguments for well defined, and drops freezes",
    ),
    ("freeze-element-indices", "simplify-functions", "LLVM must not see an index that is not frozen"),
    ("thread-jumps", "widen-indices", "variables are in registers after it"),
    ("widen-indices", "simplify-functions", "LLVM's reassociation forgets that narrow sums don't wrap"),
    ("simplify-functions", "show-opencl-limits", "LLVM has drawn its conclusions"),
    ("simplify", "assume-noalias", "loops and addresses are in the form that it looks for"),
    ("assume-noalias", "simplify-again", "stores leave loops by LLVM's promotion to registers"),
    ("simplify-again", "expand-funnel-shifts", "LLVM would join the two shifts again"),
    ("simplify", "expand-funnel-shifts", "LLVM would join the two shifts again"),
    ("simplify", "load-bits-as-words", "LLVM would make vectors of bits again"),
    ("simplify-again", "load-bits-as-words", "LLVM would make vectors of bits again"),
    ("load-bits-as-words", "work-group", "lanes take vectors in memory apart, and bits have no address"),
    ("inline", "flatten-lines", "each place becomes one of the function that everything was inlined into"),
    ("expand-funnel-shifts", "work-group", "lanes would make vectors of funnel shifts, which LLVM 22 gets wrong"),
    ("simplify", "mark-global-ids", "an id is a sum of registers once all calls are inlined"),
    ("mark-global-ids", "work-group", "lanes ask which addresses are neighbours"),
    ("simplify", "split-inductions", "LLVM would join the two counters again"),
    ("simplify-again", "split-inductions", "LLVM would join the two counters again"),
    ("split-inductions", "work-group", "regions save what is left from one to the next"),
    ("flatten-lines", "work-group", "the work-group function has one scope for all places"),
    ("prepare-symbols", "optimise", "what is internal can go once it is inlined"),
    ("optimise", "check-capabilities", "what LLVM folds away is no fault"),
    ("check-capabilities", "write-scoped-atomics", "the assembly that it writes is not checked"),
    ("check-capabilities", "write-texture-calls", "faults of texture calls are found in the calls"),
    ("optimise", "write-scoped-atomics", "LLVM optimises atomics, and passes assembly on as it is"),
)
