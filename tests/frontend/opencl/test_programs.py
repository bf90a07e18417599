# SPDX-License-Identifier: Apache-2.0
"""OpenCL C programs as a whole: options, parameters, constants, kernels that call kernels, errors, PTX."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest

import lanewise as lw

ADDRESSES = """
__constant int primes[4] = {2, 3, 5, 7};
__kernel void k(__global float *restrict out, __global const volatile float *in, __constant int *c, __local int *l,
                uint n, float3 v) {
    out[0] = in[0] + c[0] + n + v.y + primes[n];
}
"""


def compiled(text: str, **more) -> lw.Module:
    return lw.compile(text, language="opencl", **more)


def test_parameters_with_names_types_and_qualifiers():
    found = [(p.name, p.ctype, p.kind, p.address, p.access, p.qualifiers) for p in compiled(ADDRESSES)["k"].params]
    assert found == [
        ("out", "float *", "pointer", "global", "none", "restrict"),
        ("in", "const volatile float *", "pointer", "global", "none", "const volatile"),
        ("c", "int *", "pointer", "constant", "none", "const"),
        ("l", "int *", "local", "local", "none", ""),
        ("n", "uint", "int", "private", "none", ""),
        ("v", "float3", "struct", "private", "none", ""),
    ]


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_constants_vectors_and_what_arguments_may_be(device: str):
    out, x, c = np.zeros(1, np.float32), np.full(1, 0.5, np.float32), np.array([10], np.int32)
    k = compiled(ADDRESSES)["k"]
    k.ndrange(1, device=device)(out, x, c, lw.local(4), 2, (1, 2, 3))
    assert out[0] == 0.5 + 10 + 2 + 2 + 5
    k.ndrange(1, device=device)(out, x, c, lw.local(4), 3, np.array([1, 2, 3], np.float32))
    assert out[0] == 0.5 + 10 + 3 + 2 + 7


@pytest.mark.parametrize("device", ["cpu", "reference"])
@pytest.mark.parametrize("width", [2, 3, 4, 8, 16])
def test_arrays_of_vectors_are_arrays_of_components(device: str, width: int):
    text = f"__kernel void k(__global int{width} *p, int{width} by) {{ p[get_global_id(0)] *= by; }}"
    stride = 4 if width == 3 else width
    p = np.arange(5 * stride, dtype=np.int32).reshape(5, stride)
    by = np.arange(1, width + 1, dtype=np.int32)
    wanted = p.copy()
    wanted[:, :width] *= by
    compiled(text)["k"].ndrange(5, device=device)(p, tuple(by.tolist()))
    assert (p[:, :width] == wanted[:, :width]).all()


@pytest.mark.parametrize("shape", [(4, 3), (5, 3)])
def test_three_components_take_the_room_of_four(shape: tuple[int, int]):
    k = compiled("__kernel void k(__global float3 *p) { p[get_global_id(0)] = 1; }")["k"]
    with pytest.raises(
        lw.LaunchError, match=r"'p': float3 \* needs an array of shape \(\.\.\., 4\), not \(\d, 3\): three"
    ):
        k.ndrange(4)(np.zeros(shape, np.float32))
    flat = np.zeros(16, np.float32)
    k.ndrange(4)(flat)
    assert (flat.reshape(4, 4)[:, :3] == 1).all()


def test_a_struct_may_end_in_an_array_without_a_size():
    text = "typedef struct { int n; float data[]; } Row; __kernel void k(__global Row *r) { r->data[r->n] = 5; }"
    row = np.array([2, 0, 0, 0], np.int32)
    k = compiled(text)["k"]
    k.ndrange(1)(row.view(np.dtype(k.params[0].dtype)))
    assert row.view(np.float32)[3] == 5


@pytest.mark.parametrize("device", ["cpu", "reference"])
def test_functions_may_be_called_like_those_of_libraries(device: str):
    text = """
    float sinf(float x) { return 7; }
    static float fminf(float a, float b) { return 10 * fmin(a, b); }
    inline float powf(float x, float y) { return y != 0 ? -powf(x, y - 1) : x; }
    int vprintf(int n) { return n; }
    int memcpy(int n) { return n + 1; }
    typedef struct { float values[100]; } Many;
    __kernel void k(__global float *p, __global Many *from, __global Many *to) {
        to[0] = from[0];
        p[0] = sinf(1) + sin(0.0f);
        p[1] = fminf(p[1], 3) + fmin(2.0f, 1.0f);
        p[2] = powf(2, 3) + pow(2.0f, 3.0f);
        p[3] = vprintf(5) + memcpy(6);
        printf("@sinf %s", "@powf");
    }
    """
    p, few, many = np.full(4, 9, np.float32), np.arange(100, dtype=np.float32), np.zeros(100, np.float32)
    with contextlib.redirect_stdout(io.StringIO()) as shown:
        compiled(text)["k"].ndrange(1, device=device)(p, few, many)
    assert p.tolist() == [7, 31, 6, 12]
    assert (many == few).all()
    assert shown.getvalue() == "@sinf @powf"


def test_inline_functions_and_kernels_are_there():
    text = """
    inline int one(void) { return 1; }
    extern inline int two(void) { return 2; }
    static inline int four(void) { return 4; }
    inline __kernel void k(__global int *p) { p[0] = one() + two() + four(); }
    """
    p = np.zeros(1, np.int32)
    compiled(text)["k"].ndrange(1)(p)
    assert p[0] == 7


def test_an_array_of_incomplete_vectors_is_refused():
    k = compiled("__kernel void k(__global float4 *p) { p[get_global_id(0)] *= 2; }")["k"]
    with pytest.raises(lw.LaunchError, match=r"whole structs of 16 bytes, not 24 bytes of float32"):
        k.ndrange(1)(np.zeros(6, np.float32))


def test_positions_can_be_switched_off_again():
    module = compiled("__kernel void k(__global int *p) {\n  p[0] = 1;\n}", options=["-g -g0"])
    with pytest.raises(lw.LaunchError, match=r"with options=\[\"-g\"\], it says the thread"):
        module["k"].ndrange(1)(None)


def test_a_kernel_calls_a_kernel():
    text = """
    __kernel void inner(__global int *p) { p[get_global_id(0)] += 1; }
    __kernel void outer(__global int *p) { inner(p); inner(p); }
    """
    module = compiled(text)
    assert module.kernels == ("inner", "outer")
    p = np.zeros(4, np.int32)
    for device in ("cpu", "reference"):
        module["outer"].ndrange(4, device=device)(p)
    assert (p == 4).all()
    assert "call" not in module.ptx()


def test_options_as_clbuildprogram_takes_them(tmp_path: Path):
    (tmp_path / "three.h").write_text("#define THREE 3\n")
    text = '#include "three.h"\n__kernel void k(__global int *p) { p[0] = A + B + THREE; p[1] = __OPENCL_VERSION__; }'
    options = [f'-D A=10 -DB=200 -I "{tmp_path}" -cl-opt-disable -cl-mad-enable -cl-fast-relaxed-math -w']
    p = np.zeros(2, np.int32)
    compiled(text, options=options)["k"].ndrange(1)(p)
    assert p.tolist() == [213, 120]
    module = compiled(text, options=["-cl-std=CL1.2"], defines={"A": 1, "B": 2}, include_dirs=[tmp_path])
    module["k"].ndrange(1)(p)
    assert p.tolist() == [6, 120]
    compiled(text, options=options[0])["k"].ndrange(1)(p)
    assert p.tolist() == [213, 120]


@pytest.mark.parametrize(("standard", "version"), [("CL1.0", 100), ("CL1.1", 110), ("CL2.0", 200), ("CL3.0", 300)])
def test_programs_may_ask_for_another_version_of_the_language(standard: str, version: int):
    text = "__kernel void k(__global int *p) { p[0] = __OPENCL_C_VERSION__; p[1] = clamp(p[1], 2, 3); }"
    p = np.zeros(2, np.int32)
    compiled(text, options=[f"-cl-std={standard}"])["k"].ndrange(1)(p)
    assert p.tolist() == [version, 2]


def test_our_header_is_read_first_whatever_the_current_directory_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "opencl-c-base.h").write_text("#error not this one\n")
    (tmp_path / "more.h").write_text("typedef float4 Four;\n")
    monkeypatch.chdir(tmp_path)
    options = [f"-include more.h -I {tmp_path} -Weverything -Werror"]
    assert compiled("__kernel void k(__global Four *p) { p[0] = (Four)1; }\n", options=options).kernels == ("k",)


def test_a_file_is_known_by_the_end_of_its_name(tmp_path: Path):
    (tmp_path / "k.cl").write_text("__kernel void k(__global int *p) { p[0] = 7; }")
    p = np.zeros(1, np.int32)
    lw.compile(tmp_path / "k.cl")["k"].ndrange(1)(p)
    assert p[0] == 7


def test_a_saved_module_runs_plain_launches(tmp_path: Path):
    compiled(ADDRESSES).save(tmp_path / "k.lwo")
    out, x, c = np.zeros(1, np.float32), np.ones(1, np.float32), np.zeros(1, np.int32)
    lw.load(tmp_path / "k.lwo")["k"].ndrange(1)(out, x, c, lw.local(4), 0, (0, 0, 0))
    assert out[0] == 3
    with pytest.raises(lw.LaunchError, match=r"global size \(3, 1, 1\).*and of a saved module not even those"):
        lw.load(tmp_path / "k.lwo")["k"].ndrange(3, 2)


def test_a_position_with_g(tmp_path: Path):
    module = compiled("__kernel void k(__global int *p) {\n  p[0] = 1;\n}", options=["-g"])
    with pytest.raises(lw.LaunchError, match=r"null pointer.*<source>:2"):
        module["k"].ndrange(1)(None)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("__kernel void k() {\n  int i = x;\n}", [], r"<source>:2:11: error: use of undeclared identifier 'x'"),
        ("__kernel void k(int *p) {}", [], r"<source>:1:22: error: pointer arguments to kernel functions must reside"),
        ("__kernel void k() {}", ["-cl-nonsense"], r"unknown argument: '-cl-nonsense'"),
        ("__kernel void k() {}", ["-x cuda"], r"option '-x': the compiler makes kernel IR of OpenCL C"),
        ("__kernel void k() {}", ["-S"], r"option '-S': the compiler makes kernel IR of OpenCL C"),
        ("__kernel void k() {}", ["-D"], r"option '-D' needs an argument after it"),
        ("__kernel void k() {}", ["-D 'x"], r"options .*: No closing quotation"),
        ("__kernel void k() {}", ["-cl-std=CL9.9"], r"invalid value 'CL9.9' in '-cl-std=CL9.9'"),
        ("int k() { return missing(); }", [], r"use of undeclared identifier 'missing'"),
    ],
)
def test_build_errors(text: str, options: list[str], message: str):
    with pytest.raises(lw.CompileError, match=message):
        compiled(text, options=options)


def test_an_extension_that_is_not_there_is_named():
    module = compiled("#pragma OPENCL EXTENSION cl_khr_gl_sharing : enable\n__kernel void k(__global int *p) {}")
    assert any("cl_khr_gl_sharing" in warning for warning in module.warnings)


@pytest.mark.parametrize(
    ("parameter", "options", "said"),
    [
        ("read_only pipe int x", ["-cl-std=CL2.0"], "parameter 'x' is a pipe: Lanewise has no pipes of OpenCL C yet"),
    ],
)
def test_pipes_are_refused_by_name(parameter: str, options: list[str], said: str):
    kernel = f"__kernel void k(__global int *p, {parameter}) {{ p[0] = 1; }}"
    with pytest.raises(lw.CompileError) as raised:
        compiled(f"\n{kernel}", options=options)
    assert str(raised.value).startswith(f"<source>:2: error: kernel k: {said}")
    module = compiled(f"\n{kernel}\n__kernel void other(__global int *p) {{ p[0] = 5; }}", options=options)
    assert module.kernels == ("other",)
    (warning,) = module.warnings
    assert warning.startswith(f"<source>:2: warning: kernel k: {said}")
    assert warning.endswith("; the kernel is left out")
    out = np.zeros(1, np.int32)
    module["other"].ndrange(1)(out)
    assert out[0] == 5
    with pytest.raises(lw.CompileError, match=r"<source>:2: error: kernel k: parameter 'x' is .* yet$"):
        module["k"]


@pytest.mark.parametrize(
    ("statement", "options", "said"),
    [
        (
            "p[0] = get_local_linear_id()",
            "",
            "'get_local_linear_id' is new in OpenCL C 2.0: compile with the option -cl",
        ),
        ("p[0] = work_group_reduce_add(1)", "", "'work_group_reduce_add' is new in OpenCL C 2.0: compile with the"),
        ("p[0] = enqueue_marker(1)", "-cl-std=CL2.0", "'enqueue_marker' is new in OpenCL C 2.0, and Lanewise doesn't"),
        ("atomic_int *q", "", "'atomic_int' is new in OpenCL C 2.0: compile with the option -cl-std=CL2.0"),
        ("p[0] = dot((short4)(1), (short4)(2))", "", None),
        ("p[0] = intel_dp(1)", "", "'intel_dp' belongs to one of Intel's extensions"),
        ("return 1", "", "the option -Wno-error=return-mismatch makes this a warning"),
        ("p[0] = q", "", None),
    ],
)
def test_notes_on_what_is_not_known(statement: str, options: str, said: str | None):
    with pytest.raises(lw.CompileError) as raised:
        compiled(f"__kernel void k(__global int *p) {{ {statement}; }}", options=options)
    notes = [line for line in str(raised.value).splitlines() if line.startswith("note: ")]
    assert notes == [] if said is None else any(said in note for note in notes)
    assert len(notes) == len(set(notes))


def test_a_function_that_is_declared_and_no_library_has():
    declared = "__attribute__((overloadable)) int enqueue_marker(int x);\n"
    kernel = "__kernel void k(__global int *p) {\n  p[0] = enqueue_marker(1); }"
    said = "'enqueue_marker' is new in OpenCL C 2.0, and Lanewise doesn't have it yet"
    with pytest.raises(lw.CompileError) as raised:
        compiled(declared + kernel, options="-cl-std=CL2.0")
    assert str(raised.value) == f"<source>:3:10: error: {said}"
    with pytest.raises(lw.CompileError, match=f"\nnote: {said}$"):
        compiled(kernel, options="-cl-std=CL2.0")


def test_options_of_other_compilers_are_ignored_with_a_warning():
    options = "-cl-nv-verbose -cl-nv-maxrregcount 32 -D A=3 -cl-intel-x -qcom-sched-rule=2 -save-temps=t -fno-bin-amdil"
    module = compiled("__kernel void k(__global int *p) { p[0] = A; }", options=options)
    words = [warning.split("'")[1] for warning in module.warnings]
    assert words == [
        "-cl-nv-verbose", "-cl-nv-maxrregcount 32", "-cl-intel-x", "-qcom-sched-rule=2", "-save-temps=t",
        "-fno-bin-amdil",
    ]  # fmt: skip
    assert all(warning.endswith(" is for another compiler: ignored") for warning in module.warnings)
    out = np.zeros(1, np.int32)
    module["k"].ndrange(1)(out)
    assert out[0] == 3


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("__global int *q = p; q[0] = 0x40000000", "incompatible-pointer-types"),
        ("ulong n = p; *(__global float *)n = 2", "int-conversion"),
    ],
)
def test_pointers_of_other_types_are_warnings_until_asked_for_as_errors(statement: str, said: str):
    text = f"__kernel void k(__global float *p) {{ {statement}; }}"
    module = compiled(text)
    assert module.warnings[0].endswith(f"[-W{said}]")
    out = np.zeros(1, np.float32)
    module["k"].ndrange(1)(out)
    assert out[0] == 2
    for option in (f"-Werror={said}", "-Werror"):
        with pytest.raises(lw.CompileError, match=said):
            compiled(text, options=option)


@pytest.mark.parametrize(("standard", "version"), [("CL1.1", 120), ("CL1.2", 120), ("CL2.0", 200), ("CL3.0", 300)])
def test_the_version_of_the_device_is_at_least_that_of_the_language(standard: str, version: int):
    text = "__kernel void k(__global int *p) { p[0] = __OPENCL_VERSION__; }"
    out = np.zeros(1, np.int32)
    compiled(text, options=f"-cl-std={standard}")["k"].ndrange(1)(out)
    assert out[0] == version


def test_an_undefined_function_is_named():
    module = compiled("void nowhere(int); __kernel void k(__global int *p) { nowhere(p[0]); }")
    with pytest.raises(lw.CompileError, match=r"kernel k calls nowhere\(\), which is declared but defined nowhere"):
        module["k"].ndrange(1)(np.zeros(1, np.int32))


@pytest.mark.parametrize("name", ["barrier", "nan", "sin"])
def test_an_undefined_overload_of_a_built_in_function_is_named(name: str):
    text = f"int __attribute__((overloadable)) {name}(float, char); __kernel void k(int n) {{ {name}(n, n); }}"
    with pytest.raises(lw.CompileError, match=rf"kernel k calls {name}\(\), which is declared but defined nowhere"):
        compiled(text)["k"].ndrange(1)(0)


def test_ptx_has_the_local_size_that_is_required():
    text = "__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void k(__global int *p) { p[get_local_id(0)] = 1; }"
    assert ".reqntid 8, 4, 2" in compiled(text).ptx()
