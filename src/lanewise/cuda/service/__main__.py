# SPDX-License-Identifier: Apache-2.0
"""Runs the compile service on the socket that the host runtime gives it (runtime/host/compile_service.c)."""

from lanewise.cuda.service.serving import serve_program

if __name__ == "__main__":
    serve_program(3)
