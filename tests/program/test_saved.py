# SPDX-License-Identifier: Apache-2.0
"""Modules that were saved and loaded again: they do what they did before, and no compiler starts."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lanewise as lw
from lanewise.config import Config
from lanewise.device.cpu.machine_code import brought_along
from lanewise.device.program import Program
from lanewise.program.module import loaded
from lanewise.program.saved import lwo
from lanewise.program.source.compilation import compile_source
from lanewise.session import Session
from lanewise.workgroup.launch_assumptions import ALL

SOURCE = """
struct Pair { char tag; double value; };
struct Node { int *where; int value; };
__device__ int counter = 5;
__device__ int cells[4] = {1, 2, 3, 4};
__device__ Node node = {&cells[2], 9};
__constant__ float factor = 2.0f;

template <typename T> __global__ void scale(T *y, T by) { y[blockIdx.x * blockDim.x + threadIdx.x] *= by; }

extern "C" __global__ void saxpy(float *y, const float *x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * factor * x[i];
}

extern "C" __global__ void reverse(int *y, Pair pair) {
    extern __shared__ int whole[];
    int item = threadIdx.x + blockDim.x * threadIdx.y, count = blockDim.x * blockDim.y;
    whole[item] = y[item];
    __syncthreads();
    y[item] = whole[count - 1 - item] + pair.tag;
    if (item == 0) {
        counter += 1;
        *node.where += 10;
        printf("%d items, %g\\n", count, pair.value);
    }
}

extern "C" __global__ void fails(int *y) { assert(y[threadIdx.x] == 0); }
"""


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session with a cache of its own."""
    return Session(Config(tmp_path / "cache", 2, "cpu"))


@pytest.fixture
def saved(tmp_path: Path, compile_cuda: Callable[[str], lw.Module]) -> Callable[..., Path]:
    """Saves the module of SOURCE."""

    def save(**options: Any) -> Path:
        path = tmp_path / "kernels.lwo"
        compile_cuda(SOURCE).save(path, **options)
        return path

    return save


def saxpy(module: lw.Module, grid: int, block: Any) -> None:
    y, x = np.ones(1000, np.float32), np.arange(1000, dtype=np.float32)
    module["saxpy"][grid, block](y, x, 2.0, 1000)
    assert (y == 1 + 4 * x).all()


# -- the same as before ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", [1, 100, 256, 1024])
def test_a_kernel_runs_at_any_local_size(saved: Callable[..., Path], session: Session, block: int):
    saxpy(loaded(session, saved(), False), -(-1000 // block), block)


def test_names_and_parameters_are_those_of_the_source(
    saved: Callable[..., Path], session: Session, compile_cuda: Callable[[str], lw.Module]
):
    module, again = compile_cuda(SOURCE), loaded(session, saved(), False)
    assert again.kernels == module.kernels
    assert [kernel.params for kernel in again] == [kernel.params for kernel in module]
    assert again["saxpy"].shared_bytes == module["saxpy"].shared_bytes
    with pytest.raises(lw.LaunchError, match="takes 4 arguments"):
        again["saxpy"][1, 1](1)


def test_structs_dynamic_shared_memory_and_printf(
    saved: Callable[..., Path], session: Session, capsys: pytest.CaptureFixture[str]
):
    module, y = loaded(session, saved(), False), np.arange(60, dtype=np.int32)
    module["reverse"].launch(1, (20, 3), (y, (3, 2.5)), shared=240)
    assert (y == np.arange(60)[::-1] + 3).all()
    assert capsys.readouterr().out == "60 items, 2.5\n"


def test_variables_begin_anew_in_each_copy(saved: Callable[..., Path], session: Session):
    path, y = saved(), np.zeros(4, np.int32)
    one, other = loaded(session, path, False), loaded(session, path, False)
    for times in range(1, 3):
        one["reverse"].launch(1, 4, (y, (0, 0.0)), shared=16)
        assert one.variable("counter").read() == 5 + times
        assert one.variable("cells").read().tolist() == [1, 2, 3 + 10 * times, 4]
    other["reverse"].launch(1, 4, (y, (0, 0.0)), shared=16)
    assert (other.variable("counter").read(), one.variable("counter").read()) == (6, 7)
    other.variable("factor").write(0.0)
    saxpy(one, 4, 256)


def test_a_failed_assertion_is_named(saved: Callable[..., Path], session: Session):
    with pytest.raises(lw.LaunchError, match=r"y\[threadIdx.x\] == 0. failed in block \(0, 0, 0\), thread \(3, 0, 0\)"):
        loaded(session, saved(), False)["fails"][1, 8](np.array([0, 0, 0, 1, 0, 0, 0, 0], np.int32))


def test_other_devices_and_ptx_are_made_from_the_ir(saved: Callable[..., Path], session: Session):
    module, y = loaded(session, saved(), False), np.arange(8, dtype=np.int32)
    module["reverse"].launch(1, 8, (y, (0, 0.0)), shared=32, device="reference")
    assert (y == np.arange(8)[::-1]).all()
    assert ".entry saxpy" in module.ptx()
    assert "lw_group:" in module.asm("saxpy")


def test_bounds_hold_and_an_exact_size_is_what_is_compiled(tmp_path: Path, session: Session):
    text = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out) "nvvm.reqntid"="4,2" { store i32 1, ptr %out  ret void }
"""
    path = tmp_path / "k.lwo"
    lw.compile(text.replace("  ret", "\n  ret").replace("{ ", "{\n").replace(" }", "\n}"), language="ir").save(path)
    assert [n for n in lwo.read(path).files if n.endswith(".so")] == ["cpu/k/4,2,1/all.so"]
    out = np.zeros(1, np.int32)
    loaded(session, path, False)["k"][1, (4, 2)](out)
    assert out[0] == 1
    with pytest.raises(lw.LaunchError, match="requires"):
        loaded(session, path, False)["k"][1, 8](out)


def test_a_saved_module_can_be_saved_again(saved: Callable[..., Path], session: Session, tmp_path: Path):
    first = saved(ir=False, blocks={"saxpy": [128]})
    again = tmp_path / "again.lwo"
    loaded(session, first, False).save(again, ir=False, blocks={"saxpy": [128]})
    assert lwo.read(again).files == lwo.read(first).files
    with pytest.raises(lw.Error, match="saved without its kernel IR"):
        loaded(session, first, False).save(again)


# -- what the file holds -----------------------------------------------------------------------------------------------


def test_only_instances_that_were_made_are_there(tmp_path: Path, session: Session):
    module = lw.compile(SOURCE, language="cuda")
    path = tmp_path / "kernels.lwo"
    module["scale<float>"][1, 1](np.ones(1, np.float32), 1.0)
    module.save(path)
    again, y = loaded(session, path, False), np.ones(8, np.float32)
    again["scale<float>"][1, 8](y, 3.0)
    assert (y == 3).all()
    with pytest.raises(lw.CompileError, match=r"no kernel 'scale<double>'; .* made before it was saved$"):
        again["scale<double>"]


def test_sizes_that_were_asked_for_have_code_of_their_own(saved: Callable[..., Path], session: Session):
    path = saved(blocks={"saxpy": [256, (16, 16), (256, 1, 1)]})
    made = sorted(name for name in lwo.read(path).files if name.startswith("cpu/saxpy/") and name.endswith(".so"))
    places = sorted({name.split("/")[2] for name in made})
    assert places == ["16,16,1", "256,1,1", "any"]
    saxpy(loaded(session, path, False), 4, 256)


@pytest.mark.parametrize("blocks", [{"saxpy": 256}, {"saxpy": (16, 16)}, {"saxpy": [2048]}, {"saxpi": [1]}], ids=str)
def test_wrong_sizes_are_refused(saved: Callable[..., Path], blocks: Any):
    with pytest.raises(lw.Error, match=r"local sizes|1024|no kernel 'saxpi'"):
        saved(blocks=blocks)


def test_both_kinds_of_grid_are_served(saved: Callable[..., Path]):
    names = lwo.read(saved()).files
    assert {"cpu/saxpy/any/small.so", "cpu/saxpy/any/all.so", "cpu/fails/any/all.so"} <= set(names)
    assert "cpu/fails/any/small.so" not in names


def test_a_large_grid_gets_code_whose_ids_may_be_large(saved: Callable[..., Path]):
    files = lwo.read(saved()).files
    program = Program("k", "k", lambda form, target: "", {}, files)
    for small_grid, name in ((True, "small"), (False, "all")):
        code = brought_along(program, "saxpy", None, ALL._replace(small_grid=small_grid))
        assert code is not None
        assert code.shared_object == files[f"cpu/saxpy/any/{name}.so"]


def test_the_same_module_gives_the_same_file(saved: Callable[..., Path], tmp_path: Path):
    first = saved(blocks={"saxpy": [64]}).read_bytes()
    fresh = Session(Config(tmp_path / "other", 2, "cpu"))
    path = tmp_path / "again.lwo"
    compile_source(fresh, SOURCE, language="cuda").save(path, blocks={"saxpy": [64]})
    assert path.read_bytes() == first


def test_without_ir_what_needs_it_says_so(saved: Callable[..., Path], session: Session):
    path = saved(ir=False)
    module = loaded(session, path, False)
    saxpy(module, 4, 256)
    needing: list[Callable[[], Any]] = [
        module.ir,
        module.ptx,
        lambda: module.asm("saxpy"),
        lambda: module.ir("simplify", "saxpy"),
        lambda: module["fails"].launch(1, 1, (np.zeros(1, np.int32),), device="reference"),
    ]
    for use in needing:
        with pytest.raises(lw.Error, match=r"kernels.lwo was saved without its kernel IR \(ir=False\)"):
            use()
    with pytest.raises(lw.Error, match=r"specialise=True needs the kernel IR"):
        loaded(session, path, True)


def test_specialise_compiles_for_each_size(saved: Callable[..., Path], session: Session):
    module = loaded(session, saved(), True)
    saxpy(module, 4, 256)
    assert session.cache.info().entries >= 1


def test_a_kernel_that_the_cpu_refuses_is_refused_with_the_same_words(tmp_path: Path, session: Session):
    source = """
extern "C" __global__ void sound(int *y) { y[threadIdx.x] = 1; }
extern "C" __global__ void odd(int *y) { asm volatile("wgmma.fence.sync.aligned;"); y[0] = 2; }
"""
    module, path, y = lw.compile(source, language="cuda"), tmp_path / "k.lwo", np.zeros(4, np.int32)
    with pytest.raises(lw.CompileError) as before:
        module["odd"][1, 4](y)
    module.save(path, ir=False)
    again = loaded(session, path, False)
    with pytest.raises(lw.CompileError) as after:
        again["odd"][1, 4](y)
    assert str(after.value) == str(before.value)
    again["sound"][1, 4](y)
    assert (y == 1).all()


# -- in another process ------------------------------------------------------------------------------------------------

FRESH = """
import sys
import numpy as np
import lanewise as lw
module = lw.load(sys.argv[1])
y, x = np.ones(1000, np.float32), np.arange(1000, dtype=np.float32)
module["saxpy"][8, 128](y, x, 2.0, 1000)
assert (y == 1 + 4 * x).all()
print(*sorted(name for name in sys.modules if "llvm" in name or "ziglang" in name or "clang" in name))
"""


def test_a_fresh_process_loads_no_compiler(saved: Callable[..., Path]):
    lw.device("cpu")  # whose runtime core is in the cache that both processes share
    done = subprocess.run(
        [sys.executable, "-c", FRESH, str(saved())], capture_output=True, text=True, check=False, env=dict(os.environ)
    )
    assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", "")


def test_compile_says_what_to_do_with_a_saved_module(saved: Callable[..., Path]):
    with pytest.raises(lw.Error, match=r"is a saved module, compiled already: lw.load\("):
        lw.compile(saved())
