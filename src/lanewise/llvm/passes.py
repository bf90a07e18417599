# SPDX-License-Identifier: Apache-2.0
"""Single LLVM passes by their LLVM names.

llvmlite builds pass managers with one method per pass, so the names are in a literal table.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanewise.llvm.binding import disposed, llvm, unlocked
from lanewise.llvm.machine import Machine
from lanewise.llvm.module import LlvmModule
from lanewise.llvm.switches import switches

PASSES: dict[str, str] = {
    "adce": "add_aggressive_dce_pass",
    "aggressive-instcombine": "add_aggressive_instcombine_pass",
    "always-inline": "add_always_inliner_pass",
    "argpromotion": "add_argument_promotion_pass",
    "break-crit-edges": "add_break_critical_edges_pass",
    "constmerge": "add_constant_merge_pass",
    "dce": "add_dead_code_elimination_pass",
    "deadargelim": "add_dead_arg_elimination_pass",
    "dse": "add_dead_store_elimination_pass",
    "globaldce": "add_global_dead_code_eliminate_pass",
    "globalopt": "add_global_opt_pass",
    "instcombine": "add_instruction_combine_pass",
    "instnamer": "add_instruction_namer_pass",
    "ipsccp": "add_ipsccp_pass",
    "jump-threading": "add_jump_threading_pass",
    "lcssa": "add_lcssa_pass",
    "loop-deletion": "add_loop_deletion_pass",
    "loop-reduce": "add_loop_strength_reduce_pass",
    "loop-rotate": "add_loop_rotate_pass",
    "loop-simplify": "add_loop_simplify_pass",
    "loop-unroll": "add_loop_unroll_pass",
    "loop-unroll-and-jam": "add_loop_unroll_and_jam_pass",
    "lower-atomic": "add_lower_atomic_pass",
    "lower-invoke": "add_lower_invoke_pass",
    "lower-switch": "add_lower_switch_pass",
    "memcpyopt": "add_mem_copy_opt_pass",
    "mergefunc": "add_merge_functions_pass",
    "mergereturn": "add_unify_function_exit_nodes_pass",
    "newgvn": "add_new_gvn_pass",
    "reassociate": "add_reassociate_pass",
    "reg2mem": "add_register_to_memory_pass",
    "rpo-function-attrs": "add_rpo_function_attrs_pass",
    "sccp": "add_sccp_pass",
    "simplifycfg": "add_simplify_cfg_pass",
    "sink": "add_sinking_pass",
    "sroa": "add_sroa_pass",
    "strip": "add_strip_symbols_pass",
    "strip-dead-prototypes": "add_strip_dead_prototype_pass",
    "tailcallelim": "add_tail_call_elimination_pass",
    "verify": "add_verifier",
}
"""LLVM's name of a pass -> llvmlite's method that adds it to a module pass manager.

llvmlite offers no method for early-cse, gvn, licm, mem2reg (sroa does its work), correlated-propagation,
inline and the vectorisers: those run only as part of `Machine.optimise` or `Machine.simplify`.
"""


def run_passes(module: LlvmModule, names: Sequence[str], machine: Machine) -> None:
    """Run the passes in order, for `machine`. Raises `KeyError` for a name that isn't in `PASSES`."""
    binding = llvm()
    methods = [PASSES[name] for name in names]
    kept = machine.of_thread(2)
    with (
        binding.create_pipeline_tuning_options(2) as options,
        binding.create_pass_builder(kept, options) as builder,
        disposed(binding.create_new_module_pass_manager()) as manager,
        switches(gpu=False),
    ):
        for method in methods:
            getattr(manager, method)()
        unlocked().run_passes(manager, module.handle, builder)
