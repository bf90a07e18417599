# SPDX-License-Identifier: Apache-2.0
"""The table of nvcc's and NVRTC's options. `make docs` writes docs/nvcc-options.md from it.

An option that isn't in the table goes to clang as it is: `-I`, `-D`, `-U`, `-include`, `-isystem`, `-std=` and `-w` are
the same there.

Sources: NVIDIA CUDA Compiler Driver NVCC 12.8, "NVCC Command Options"; NVRTC 12.8, "Supported Compile Options".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Option:
    """One option. Each name may be written with one or two hyphens, and a value after `=` or as the next argument."""

    names: tuple[str, ...]
    meaning: str
    """The effect of the option here, as a sentence without its full stop."""
    takes_value: bool = False


@dataclass(frozen=True)
class Honoured(Option):
    """An option with clang's arguments for it; `{}` in them is the value. `values` has those of known values."""

    arguments: tuple[str, ...] = ()
    values: Mapping[str, tuple[str, ...]] | None = None


class Architecture(Option):
    """An option that chooses the architecture."""


class Ignored(Option):
    """An option that changes nothing here. `meaning` is the reason, which the note names."""


class Refused(Option):
    """An option that asks for something that there isn't. `meaning` is what the error says."""


APPROXIMATE: Final = ("-fapprox-func",)
FLUSH: Final = ("-fgpu-flush-denormals-to-zero",)

_NO_PTXAS: Final = "ptxas, which turns PTX into machine code, isn't run"
_NO_HOST_COMPILER: Final = "host code is checked, and no host compiler is run"
_NO_LINKER: Final = "one file is one module, and nothing is linked"
_NO_STEPS: Final = "there are no such steps and files"
_DIAGNOSTICS: Final = "diagnostics are clang's; its own -W options choose among them"
_ALWAYS: Final = "it is always so"
_OUTPUT: Final = "what to write is chosen by the method or by `lanewise compile --emit` and `-o`, not by an option"

HONOURED: Final = (
    Architecture(("arch", "gpu-architecture"), "the architecture, as `arch=` has it", True),
    Architecture(("gencode", "generate-code"), "the newest architecture of all that are given", True),
    Architecture(("code", "gpu-code"), "as above", True),
    Honoured(("std",), "the C++ standard", True, ("-std={}",)),
    Honoured(("include-path",), "as `-I`", True, ("-I", "{}")),
    Honoured(("system-include",), "as `-isystem`", True, ("-isystem", "{}")),
    Honoured(("define-macro",), "as `-D`", True, ("-D", "{}")),
    Honoured(("undefine-macro",), "as `-U`", True, ("-U", "{}")),
    Honoured(("pre-include",), "as `-include`", True, ("-include", "{}")),
    Honoured(("x",), "`cu` alone, as every source is CUDA C++ here", True, values={"cu": ()}),
    Honoured(
        ("fmad",),
        "whether a product and a sum are rounded once",
        True,
        values={"true": ("-ffp-contract=fast",), "false": ("-ffp-contract=off",)},
    ),
    Honoured(
        ("ftz",),
        "whether denormal floats count as 0",
        True,
        values={"true": FLUSH, "false": ("-fno-gpu-flush-denormals-to-zero",)},
    ),
    Honoured(
        ("prec-div",),
        "`false`: division of floats by the GPU's approximate instructions, in PTX",
        True,
        values={"true": (), "false": APPROXIMATE},
    ),
    Honoured(
        ("prec-sqrt",),
        "`false`: as `-prec-div=false`; clang has one option for both",
        True,
        values={"true": (), "false": APPROXIMATE},
    ),
    Honoured(
        ("use_fast_math",),
        "fast forms of `sinf` and the like; `-fmad=true -ftz=true -prec-div=false -prec-sqrt=false`",
        arguments=("-D__USE_FAST_MATH__", "-ffp-contract=fast", *FLUSH, *APPROXIMATE),
    ),
    Honoured(("G", "device-debug", "debug"), "as `-g`", arguments=("-g",)),
    Honoured(("lineinfo", "generate-line-info"), "PTX and assembly name lines of the source"),
    Honoured(
        ("extended-lambda", "expt-extended-lambda"),
        "defines `__CUDACC_EXTENDED_LAMBDA__`; such lambdas are always allowed",
        arguments=("-D__CUDACC_EXTENDED_LAMBDA__=1",),
    ),
    Honoured(
        ("expt-relaxed-constexpr",),
        "defines `__CUDACC_RELAXED_CONSTEXPR__`; device code may always call constexpr functions",
        arguments=("-D__CUDACC_RELAXED_CONSTEXPR__=1",),
    ),
    Honoured(("optimize",), "as `-O`", True, ("-O{}",)),
    Honoured(("machine", "m"), "`64` alone, as device code has pointers of 64 bits", True, values={"64": ()}),
    Honoured(("ftemplate-depth",), "as clang's", True, ("-ftemplate-depth={}",)),
    Honoured(("ftemplate-backtrace-limit",), "as clang's", True, ("-ftemplate-backtrace-limit={}",)),
    Honoured(("no-exceptions", "noeh"), "as `-fno-exceptions`", arguments=("-fno-exceptions",)),
    Honoured(("Wno-deprecated-declarations",), "as clang's", arguments=("-Wno-deprecated-declarations",)),
    Honoured(("m64", "c", "compile", "rdc=false", "relocatable-device-code=false"), "changes nothing, being so anyway"),
    Honoured(("disable-warnings",), "as `-w`", arguments=("-w",)),
)

IGNORED: Final = (
    Ignored(
        (
            "Xptxas", "ptxas-options", "maxrregcount", "dopt", "Xfatbin", "fatbin-options", "compress-mode",
            "device-stack-protector", "jump-table-density", "jtd",
        ),
        _NO_PTXAS, True,
    ),
    Ignored(
        (
            "extra-device-vectorization", "dlto", "dlink-time-opt", "lto", "relocatable-ptx", "reloc-ptx",
            "source-in-ptx", "src-in-ptx", "no-compress", "keep-device-functions", "qpp-config",
        ),
        _NO_PTXAS,
    ),
    Ignored(("Xcompiler", "compiler-options", "ccbin", "compiler-bindir"), _NO_HOST_COMPILER, True),
    Ignored(
        ("allow-unsupported-compiler", "forward-unknown-to-host-compiler", "forward-unknown-opts"), _NO_HOST_COMPILER
    ),
    Ignored(("default-stream",), _NO_HOST_COMPILER, True),
    Ignored(("Xlinker", "linker-options", "Xnvlink", "nvlink-options", "Xarchive"), _NO_LINKER, True),
    Ignored(("rdc", "relocatable-device-code", "cudart", "cudadevrt", "library", "library-path"), _NO_LINKER, True),
    Ignored(("dc", "device-c", "dlink", "device-link"), _NO_LINKER),
    Ignored(("ewp", "extensible-whole-program", "nodlink", "no-device-link"), _NO_LINKER),
    Ignored(
        (
            "Xcudafe", "diag-suppress", "diag-error", "diag-warn", "brief-diagnostics", "brief-diag",
            "optimization-info", "opt-info",
        ),
        _DIAGNOSTICS, True,
    ),
    Ignored(
        (
            "Wno-deprecated-gpu-targets", "Wreorder", "Wdefault-stream-launch", "Wmissing-launch-bounds",
            "Wext-lambda-captures-this", "display-error-number", "err-no", "no-display-error-number",
            "no-err-no", "res-usage", "resource-usage",
        ),
        _DIAGNOSTICS,
    ),
    Ignored(
        (
            "threads", "t", "split-compile", "keep-dir", "time", "fdevice-time-trace", "libdevice-directory", "ldir",
            "target-directory", "target-dir", "archiver-binary", "arbin",
        ),
        _NO_STEPS, True,
    ),
    Ignored(
        (
            "keep", "save-temps", "verbose", "v", "dryrun", "objdir-as-tempdir", "objtemp", "dont-use-profile",
            "noprof", "jobserver", "use-local-env",
        ),
        _NO_STEPS,
    ),
    Ignored(
        (
            "static-global-template-stub", "device-entity-has-hidden-visibility",
        ),
        "symbols of kernels are those of the host compiler", True,
    ),
    Ignored(
        (
            "no-host-device-initializer-list", "nohdinitlist", "no-host-device-move-forward", "nohdmoveforward",
        ),
        "device code may call std::move, std::forward and initializer lists anyway",
    ),
    Ignored(("sanitize",), "arrays lie between guard pages, and `--device reference` checks each access", True),
    Ignored(("restrict",), "arrays are taken to be apart only if the kernel says so"),
    Ignored(("device-int128", "builtin-move-forward", "builtin-initializer-list"), _ALWAYS),
)  # fmt: skip

JOINED: Final = (Ignored(("l", "L"), _NO_LINKER, True),)
"""Options whose value follows at once: `-lcublas`."""

REFUSED: Final = (
    Refused(("o", "output-file", "output-directory", "odir"), _OUTPUT, True),
    Refused(("ptx", "cubin", "fatbin", "optix-ir", "ltoir", "gen-opt-lto", "lib", "link", "run"), _OUTPUT),
    Refused(("m32",), "device code has pointers of 64 bits"),
    Refused(
        ("default-device", "device-as-default-execution-space"),
        "mark the functions with `__device__`, or wrap them in `#pragma clang force_cuda_host_device begin` and `end`",
    ),
)

ERRORS: Final = (
    Honoured(
        ("Werror",), "`all-warnings` as clang's `-Werror`; of the other kinds those that clang has, by its names", True
    ),
)
"""Options that `errors.py` reads."""

TABLE: Final = (*HONOURED, *IGNORED, *REFUSED)
