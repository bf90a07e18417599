# SPDX-License-Identifier: Apache-2.0
"""The options of nvcc's command line that concern more than the device code of one file.

All others are read by the front end's table, `frontend/cuda/nvcc_options`, or are clang's own.

Source: NVIDIA CUDA Compiler Driver NVCC 12.8, "NVCC Command Options".
"""

from enum import Enum
from typing import Final, NamedTuple


class Takes(Enum):
    """The value of an option, after its name."""

    NOTHING = 0
    VALUE = 1
    """One value, after `=` or as the next word; a short option's may follow at once."""
    LIST = 2
    """As VALUE, with commas between several; a backslash makes a comma part of one."""
    WORDS = 3
    """As LIST; each may be several words, as a shell has them."""
    MACROS = 4
    """As VALUE, with commas between several definitions; what is no macro's name belongs to the one before."""


class DriverOption(NamedTuple):
    """One option. `field` collects its values, or the word "true" for each use without one."""

    field: str
    names: tuple[str, ...]
    """As written. Names of one hyphen may have two as well."""
    takes: Takes = Takes.VALUE


FLAG, VALUE, LIST, WORDS, MACROS = Takes.NOTHING, Takes.VALUE, Takes.LIST, Takes.WORDS, Takes.MACROS

OPTIONS: Final = (
    DriverOption("output", ("-o", "--output-file")),
    DriverOption("output_folder", ("-odir", "--output-directory")),
    DriverOption("compile", ("-c", "--compile", "-dw", "--device-w"), FLAG),
    DriverOption("device_c", ("-dc", "--device-c"), FLAG),
    DriverOption("device_link", ("-dlink", "--device-link"), FLAG),
    DriverOption("preprocess", ("-E", "--preprocess"), FLAG),
    DriverOption("cuda", ("-cuda", "--cuda"), FLAG),
    DriverOption("ptx", ("-ptx", "--ptx"), FLAG),
    DriverOption("shared", ("-shared", "--shared"), FLAG),
    DriverOption("archive", ("-lib", "--lib"), FLAG),
    DriverOption("link", ("-link", "--link"), FLAG),
    DriverOption("run", ("-run", "--run"), FLAG),
    DriverOption("run_args", ("-run-args", "--run-args"), LIST),
    DriverOption("cubin", ("-cubin", "--cubin"), FLAG),
    DriverOption("fatbin", ("-fatbin", "--fatbin"), FLAG),
    DriverOption("optix", ("-optix-ir", "--optix-ir", "-ltoir", "--ltoir"), FLAG),
    DriverOption("relocatable", ("-rdc", "--relocatable-device-code")),
    DriverOption("architecture", ("-arch", "--gpu-architecture")),
    DriverOption("code", ("-code", "--gpu-code"), LIST),
    DriverOption("generate", ("-gencode", "--generate-code")),
    DriverOption("language", ("-x", "--x")),
    DriverOption("standard", ("-std", "--std")),
    DriverOption("include", ("-I", "--include-path"), LIST),
    DriverOption("system_include", ("-isystem", "--system-include"), LIST),
    DriverOption("pre_include", ("-include", "--pre-include"), LIST),
    DriverOption("define", ("-D", "--define-macro"), MACROS),
    DriverOption("default_stream", ("-default-stream", "--default-stream")),
    DriverOption("undefine", ("-U", "--undefine-macro"), MACROS),
    DriverOption("library", ("-l", "--library"), LIST),
    DriverOption("library_folder", ("-L", "--library-path"), LIST),
    DriverOption("host_option", ("-Xcompiler", "--compiler-options"), WORDS),
    DriverOption("link_option", ("-Xlinker", "--linker-options"), WORDS),
    DriverOption("archive_option", ("-Xarchive", "--archive-options"), WORDS),
    DriverOption("host_compiler", ("-ccbin", "--compiler-bindir")),
    DriverOption("runtime", ("-cudart", "--cudart")),
    DriverOption("device_runtime", ("-cudadevrt", "--cudadevrt")),
    DriverOption("optimise", ("-O", "--optimize")),
    DriverOption("debug", ("-g", "--debug"), FLAG),
    DriverOption("profile", ("-pg", "--profile"), FLAG),
    DriverOption("device_debug", ("-G", "--device-debug"), FLAG),
    DriverOption("position_independent", ("-fPIC", "-fpic", "-fPIE", "-fpie"), FLAG),
    DriverOption("open_mp", ("-fopenmp",), FLAG),
    DriverOption("threads", ("-pthread",), FLAG),
    DriverOption("no_warnings", ("-w", "--disable-warnings"), FLAG),
    DriverOption("dependencies_only", ("-M", "--generate-dependencies", "-MM",
        "--generate-nonsystem-dependencies"), FLAG),
    DriverOption("dependencies", ("-MD", "--generate-dependencies-with-compile", "-MMD",
        "--generate-nonsystem-dependencies-with-compile"), FLAG),
    DriverOption("dependency_file", ("-MF", "--dependency-output")),
    DriverOption("dependency_target", ("-MT", "-MQ", "--dependency-target-name")),
    DriverOption("dependency_dummies", ("-MP", "--generate-dependency-targets"), FLAG),
    DriverOption("response_file", ("-optf", "--options-file"), LIST),
    DriverOption("jobs", ("-t", "--threads")),
    DriverOption("split_compile", ("-split-compile", "--split-compile", "-Ofc", "--Ofast-compile",
        "-split-compile-extended", "--split-compile-extended")),
    DriverOption("keep_folder", ("-keep-dir", "--keep-dir")),
    DriverOption("keep", ("-keep", "--keep", "-save-temps", "--save-temps"), FLAG),
    DriverOption("forward", ("-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler",
        "-forward-unknown-opts", "--forward-unknown-opts", "-forward-unknown-to-host-linker",
        "--forward-unknown-to-host-linker"), FLAG),
    DriverOption("template_stub", ("-static-global-template-stub", "--static-global-template-stub")),
    DriverOption("hidden_device_entities", ("-device-entity-has-hidden-visibility",
        "--device-entity-has-hidden-visibility")),
    DriverOption("nothing_to_do", ("-Wno-deprecated-gpu-targets", "--Wno-deprecated-gpu-targets",
        "-allow-unsupported-compiler", "--allow-unsupported-compiler", "-use-local-env", "--use-local-env",
        "-objtemp", "--objdir-as-tempdir", "-noprof", "--dont-use-profile", "-jobserver", "--jobserver",
        "-err-no", "--display-error-number", "-no-err-no", "--no-display-error-number"), FLAG),
    DriverOption("suppressed", ("-diag-suppress", "--diag-suppress"), LIST),
    DriverOption("list_architectures", ("-arch-ls", "--list-gpu-arch"), FLAG),
    DriverOption("list_codes", ("-code-ls", "--list-gpu-code"), FLAG),
    DriverOption("verbose", ("-v", "--verbose"), FLAG),
    DriverOption("dry_run", ("-dryrun", "--dryrun", "-#"), FLAG),
    DriverOption("version", ("-V", "--version"), FLAG),
    DriverOption("help", ("-h", "--help"), FLAG),
)  # fmt: skip

JOINED: Final = frozenset({"-o", "-I", "-D", "-U", "-l", "-L", "-O", "-x"})
"""Options of one letter whose value may follow without a space, unless that makes the name of another option."""
JOINED_NUMBER: Final = "-t"
"""The option whose value may follow without a space if it is a number."""
