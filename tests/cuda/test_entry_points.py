# SPDX-License-Identifier: Apache-2.0
"""Entry points in front of the functions of a library in IR."""

import ctypes
from pathlib import Path

from lanewise.cuda.entry_points import with_entry_points
from lanewise.runtime.build import compile_ir, ir_of
from lanewise.toolchain import link_shared_object

_SOURCE = """
extern const void *const __lwOwnEntries[] __attribute__((visibility("hidden")));
extern const void *const *__lwEntries __attribute__((visibility("hidden")));
__attribute__((visibility("hidden"))) void __lwChooseEntries(void) { __lwEntries = __lwOwnEntries; }

#define API __attribute__((visibility("default")))
typedef struct { int a[9]; } large;
static int calls;
API int cudaCalls(void) { return calls; }
API double cudaSum(int a, double b, int c, float d, int e, int f, int g, int h, int i, int j, double k, large l) {
  ++calls;
  return a + b + c + d + e + f + g + h + i + j + k + l.a[8];
}
API large cudaLarge(int a) { return (large){{a, 2 * a, cudaCalls()}}; }
API int other(void) { return 3; }
"""


def test_arguments_and_results_pass_through(tmp_path: Path):
    source = tmp_path / "a.c"
    source.write_text(_SOURCE)
    ir = with_entry_points(ir_of(source))
    assert "define internal double @own.cudaSum(" in ir.replace("dso_local ", "").replace("noundef ", "")
    assert "@own.other" not in ir
    path = tmp_path / "a.so"
    path.write_bytes(link_shared_object([compile_ir(ir)]))
    library = ctypes.CDLL(str(path))
    large = ctypes.c_int * 9
    wrapped = type("Large", (ctypes.Structure,), {"_fields_": [("a", large)]})
    i, f, d = ctypes.c_int, ctypes.c_float, ctypes.c_double
    library.cudaSum.argtypes = (i, d, i, f, i, i, i, i, i, i, d, wrapped)
    library.cudaSum.restype = d
    library.cudaLarge.restype = wrapped
    for calls in (1, 2):  # the first one chooses
        assert library.cudaSum(1, 0.5, 2, 0.25, 3, 4, 5, 6, 7, 8, 16.0, wrapped(large(*range(9)))) == 60.75
        assert list(library.cudaLarge(7).a)[:3] == [7, 14, calls]
    assert library.other() == 3
