# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ctypes
import re
from collections.abc import Callable

import llvmlite.binding as llvm
import pytest

from lanewise.frontend.cuda import CudaOptions, KernelIR, Source, compile_cuda


class HostFunctions:
    """The `extern "C" __device__` functions of a kernel IR module, compiled for the host and callable from Python, so
    that what our headers compute can be compared with Python. They may not read special registers."""

    def __init__(self, ir: str) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(),
            codemodel="large",  # libm may lie further away than a near call reaches
        )
        ir = re.sub(r'"target-(cpu|features)"="[^"]*"', "", ir)
        module = llvm.parse_assembly(re.sub(r"^target .*$", "", ir, flags=re.MULTILINE))
        module.triple = machine.triple
        module.data_layout = str(machine.target_data)
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def function(self, name: str, result: type, *parameters: type) -> Callable[..., float]:
        address = self._engine.get_function_address(name)
        assert address, f"no function {name}"
        function = ctypes.CFUNCTYPE(result, *parameters)(address)
        function.engine = self  # type: ignore[attr-defined]  # the code lives as long as the function
        return function


@pytest.fixture(scope="session")
def compiled() -> Callable[..., KernelIR]:
    """Compiles a text in memory; keyword arguments are CudaOptions. LLVM's verifier must accept what comes out."""

    def compile_text(text: str, **options: object) -> KernelIR:
        ir = compile_cuda(Source(text), CudaOptions(**options))  # type: ignore[arg-type]
        llvm.parse_assembly(ir.text).verify()
        return ir

    return compile_text


@pytest.fixture(scope="session")
def on_host(compiled: Callable[..., KernelIR]) -> Callable[[str], HostFunctions]:
    """Compiles device functions and makes them callable from Python."""
    return lambda text: HostFunctions(compiled(text).text)


@pytest.fixture(scope="session")
def inlined() -> Callable[[str], str]:
    """Kernel IR with the headers' functions inlined and what is then unused removed: what a call amounts to."""

    def run(ir: str) -> str:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        module = llvm.parse_assembly(ir)
        machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu="sm_80", features="+ptx78")
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0))
        passes = llvm.create_new_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, builder)
        return str(module)

    return run
