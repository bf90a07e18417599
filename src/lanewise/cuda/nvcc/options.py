# SPDX-License-Identifier: Apache-2.0
"""The options of nvcc's command line that concern more than the device code of one file.

All others are read by the front end's table, `frontend/cuda/nvcc_options`, or are clang's own.

Source: NVIDIA CUDA Compiler Driver NVCC 12.8, "NVCC Command Options".
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class Takes(Enum):
    """What follows the name of an option."""

    NOTHING = 0
    VALUE = 1
    """One value, after `=` or as the next word; a short option's may follow at once."""
    LIST = 2
    """As VALUE, with commas between several; a backslash makes a comma part of one."""


class Option(NamedTuple):
    """One option. `field` collects its values, or the word "true" for each use without one."""

    field: str
    names: tuple[str, ...]
    """As written. Names of one hyphen may have two as well."""
    takes: Takes = Takes.VALUE


FLAG, VALUE, LIST = Takes.NOTHING, Takes.VALUE, Takes.LIST

OPTIONS: Final = (
    Option("output", ("-o", "--output-file")),
    Option("output_folder", ("-odir", "--output-directory")),
    Option("compile", ("-c", "--compile"), FLAG),
    Option("device_c", ("-dc", "--device-c"), FLAG),
    Option("device_w", ("-dw", "--device-w"), FLAG),
    Option("device_link", ("-dlink", "--device-link"), FLAG),
    Option("preprocess", ("-E", "--preprocess"), FLAG),
    Option("cuda", ("-cuda", "--cuda"), FLAG),
    Option("ptx", ("-ptx", "--ptx"), FLAG),
    Option("shared", ("-shared", "--shared"), FLAG),
    Option("archive", ("-lib", "--lib"), FLAG),
    Option("link", ("-link", "--link"), FLAG),
    Option("run", ("-run", "--run"), FLAG),
    Option("run_args", ("-run-args", "--run-args"), LIST),
    Option("cubin", ("-cubin", "--cubin"), FLAG),
    Option("fatbin", ("-fatbin", "--fatbin"), FLAG),
    Option("optix", ("-optix-ir", "--optix-ir", "-ltoir", "--ltoir"), FLAG),
    Option("relocatable", ("-rdc", "--relocatable-device-code")),
    Option("architecture", ("-arch", "--gpu-architecture")),
    Option("code", ("-code", "--gpu-code"), LIST),
    Option("generate", ("-gencode", "--generate-code")),
    Option("language", ("-x", "--x")),
    Option("standard", ("-std", "--std")),
    Option("include", ("-I", "--include-path"), LIST),
    Option("system_include", ("-isystem", "--system-include"), LIST),
    Option("pre_include", ("-include", "--pre-include"), LIST),
    Option("define", ("-D", "--define-macro")),
    Option("undefine", ("-U", "--undefine-macro")),
    Option("library", ("-l", "--library"), LIST),
    Option("library_folder", ("-L", "--library-path"), LIST),
    Option("host_option", ("-Xcompiler", "--compiler-options"), LIST),
    Option("link_option", ("-Xlinker", "--linker-options"), LIST),
    Option("archive_option", ("-Xarchive", "--archive-options"), LIST),
    Option("host_compiler", ("-ccbin", "--compiler-bindir")),
    Option("runtime", ("-cudart", "--cudart")),
    Option("device_runtime", ("-cudadevrt", "--cudadevrt")),
    Option("optimise", ("-O", "--optimize")),
    Option("debug", ("-g", "--debug"), FLAG),
    Option("profile", ("-pg", "--profile"), FLAG),
    Option("device_debug", ("-G", "--device-debug"), FLAG),
    Option("position_independent", ("-fPIC", "-fpic", "-fPIE", "-fpie"), FLAG),
    Option("open_mp", ("-fopenmp",), FLAG),
    Option("threads", ("-pthread",), FLAG),
    Option("no_warnings", ("-w", "--disable-warnings"), FLAG),
    Option("dependencies_only", ("-M", "--generate-dependencies", "-MM", "--generate-nonsystem-dependencies"), FLAG),
    Option("dependencies", ("-MD", "--generate-dependencies-with-compile", "-MMD",
        "--generate-nonsystem-dependencies-with-compile"), FLAG),
    Option("dependency_file", ("-MF", "--dependency-output")),
    Option("dependency_target", ("-MT", "-MQ", "--dependency-target-name")),
    Option("dependency_dummies", ("-MP", "--generate-dependency-targets"), FLAG),
    Option("response_file", ("-optf", "--options-file"), LIST),
    Option("jobs", ("-t", "--threads")),
    Option("split_compile", ("-split-compile", "--split-compile", "-Ofc", "--Ofast-compile")),
    Option("keep_folder", ("-keep-dir", "--keep-dir")),
    Option("keep", ("-keep", "--keep", "-save-temps", "--save-temps"), FLAG),
    Option("forward", ("-forward-unknown-to-host-compiler", "--forward-unknown-to-host-compiler",
        "-forward-unknown-opts", "--forward-unknown-opts"), FLAG),
    Option("verbose", ("-v", "--verbose"), FLAG),
    Option("dry_run", ("-dryrun", "--dryrun", "-#"), FLAG),
    Option("version", ("-V", "--version"), FLAG),
    Option("help", ("-h", "--help"), FLAG),
)  # fmt: skip

JOINED: Final = frozenset({"-o", "-I", "-D", "-U", "-l", "-L", "-O", "-x"})
"""Options of one letter whose value may follow without a space."""
