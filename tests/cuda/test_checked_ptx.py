# SPDX-License-Identifier: Apache-2.0
"""Checks of PTX that a program brings as text."""

import os
import subprocess
import sys
from pathlib import Path

from lanewise.cuda.objects.host_compiler import HostCompiler

from ..prepared_cache import copy_cache

PROGRAM = r"""#include <cuda.h>
static const char text[] = R"(.version 7.8
.target sm_80
.address_size 64
.visible .entry set(.param .u64 p) {
    .reg .b64 %a<2>;
    ld.param.u64 %a1, [p];
    st.global.b32 [%a1+400], 1;
    ret;
})";
int main() {
    CUdevice device; CUcontext context; CUmodule module; CUfunction set; CUdeviceptr p;
    cuInit(0), cuDeviceGet(&device, 0), cuCtxCreate(&context, 0, device);
    if (cuModuleLoadData(&module, text) || cuModuleGetFunction(&set, module, "set")) return 1;
    cuMemAlloc(&p, 400);
    void *arguments[] = {&p};
    return cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) || cuCtxSynchronize();
}
"""


def test_a_fault_is_told_in_words_of_ptx_with_its_line(tmp_path: Path, compiler: HostCompiler, libraries: Path) -> None:
    """No file in the program's folder is taken for the text."""
    del compiler
    copy_cache(libraries, tmp_path / "cache")
    (tmp_path / "program.cu").write_text(PROGRAM)
    (tmp_path / "ptx").write_text("what this\nfile says\nis not\nthe text\n" * 3)
    environment = {**os.environ, "LANEWISE_CACHE_DIR": str(tmp_path / "cache"), "LANEWISE_CHECK": "memory"}
    command = [sys.executable, "-m", "lanewise", "run", "-lcuda", "program.cu"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[:3] == [
        "lanewise check: kernel set: 1 place at fault",
        "ptx:7: error: write out of bounds: byte 400 of argument 'p' of 400 bytes: just past its end, in block "
        "(0, 0, 0), thread (0, 0, 0)",
        "    7 |     st.global.b32 [%a1+400], 1;",
    ]
    assert done.returncode == 66
