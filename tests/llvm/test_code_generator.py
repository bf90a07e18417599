# SPDX-License-Identifier: Apache-2.0
"""What LLVM's code generator once ended the process for."""

import pytest

from lanewise.llvm import LlvmModule, Machine

MACHINES = {
    "AVX-512": Machine("x86_64-linux-gnu", "x86-64-v4", ""),
    "AVX2": Machine("x86_64-linux-gnu", "haswell", ""),
    "host": Machine.host(),
}


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("type_", ["float", "i32"])
def test_one_shuffled_vector_stored_four_times_side_by_side(machine: Machine, type_: str):
    stores = "".join(
        f"  %q{i} = getelementptr i8, ptr %q, i64 {16 * i}\n  store <4 x {type_}> %s, ptr %q{i}, align 16\n"
        for i in range(4)
    )
    module = LlvmModule.parse(
        f"define void @f(<3 x {type_}> %v, ptr %q) {{\n"
        f"  %s = shufflevector <3 x {type_}> %v, <3 x {type_}> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 1>\n"
        f"{stores}  ret void\n}}\n"
    )
    machine.claim(module)
    assert machine.object(module)
