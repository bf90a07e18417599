# SPDX-License-Identifier: Apache-2.0
# make demo    the main job on a real photograph
# make test    lint, types, the tests; with LANEWISE_TEST_ALL_SHAPES=1 all cases of all of them
# Both set up .venv first, once and again when pyproject.toml changes. Python 3.11 or later, make and pip are all
# that they need; PYTHON=... names another interpreter.

SHELL := /bin/bash
PYTHON ?= $(firstword $(foreach p,python3 python3.14 python3.13 python3.12 python3.11,$(shell \
	$(p) -c 'import sys; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))
BIN := .venv/bin
READY := .venv/ready
PLOT := .venv/plot
N ?= 1000
JOBS ?= 2

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help demo test lint types types-of-tests fuzz ulp bench docs package clean

help:
	@echo "make demo          set up, then find the edges of a photograph in CUDA C++, OpenCL C and Python"
	@echo "make test          set up, then lint, types, the tests: of large ones a seventh of the cases, others each"
	@echo "                   day; LANEWISE_TEST_ALL_SHAPES=1 for all"
	@echo "make lint          ruff: rules and format; make types: pyright"
	@echo "make types-of-tests  pyright on tests and benchmarks, which takes three times as long as on the source"
	@echo "make fuzz N=5000   random kernels against the reference device ($(N) unless told)"
	@echo "make ulp           errors of the mathematical library into docs/mathematics.md (two hours);"
	@echo "                   FUNCTIONS=\"expf pow\" for some, POINTS=100000 for a quick look that writes nothing"
	@echo "make bench         all benchmarks; beside other compilers for CPUs into docs/cpu.md (a quarter of an hour)"
	@echo "make docs          docs/ir.md, cuda-headers.md and nvcc-options.md from their tables"
	@echo "make package       packages into dist/, checked, and tried in an environment of their own; uploads nothing"
	@echo "make clean         remove .venv and everything that was made"

demo: $(READY)
	@echo "> Running the demo: examples/canny"
	@$(BIN)/python examples/canny/demo.py

test: lint types
	@echo "> Running the tests, $(JOBS) at a time"
	@$(BIN)/python -m compileall -q -j $(JOBS) src # once, and not in each process that a test starts
	@$(BIN)/python -m pytest -q -n $(JOBS)

lint: $(READY)
	@echo "> Checking rules and format: ruff"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { $(BIN)/ruff format --check; exit 1; }

types: $(READY)
	@echo "> Checking types: pyright, strict"
	@$(BIN)/pyright

types-of-tests: $(READY)
	@echo "> Checking types of tests and benchmarks: pyright, basic"
	@$(BIN)/pyright -p tests/pyrightconfig.json

fuzz: $(READY)
	@echo "> Running $(N) random kernels on the CPU and on the reference device"
	@$(BIN)/python -m tests.fuzz $(N) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(LANGUAGE),--language $(LANGUAGE)) \
		$(if $(WARPS),--warps) $(if $(VIEWS),--views) $(foreach mapping,$(MAPPINGS),--mapping $(mapping))

ulp: $(READY)
	@echo "> Measuring the errors of $(or $(FUNCTIONS),all functions)"
	@$(BIN)/python -m bench.ulp $(FUNCTIONS) --jobs $(JOBS) $(if $(POINTS),--points $(POINTS)) \
		$(if $(HARDWARE),--hardware --stride $(or $(STRIDE),1))

bench: $(READY) $(PLOT)
	@for script in $$(grep -l __main__ bench/*.py); do echo "> $$script"; $(BIN)/python "$$script" || exit 1; done
	@echo "> bench/cpu: beside Intel's and pocl's OpenCL and Numba, into docs/cpu.md"
	@$(BIN)/python -m bench.cpu
	@echo "> bench/loops: Python's loops, beside Numba and NumPy"
	@$(BIN)/python -m bench.loops
	@echo "> bench/kernelgen: shuffle synthesis, into docs/kernelgen.md"
	@$(BIN)/python -m bench.kernelgen
	@echo "> bench/gpu: PTX beside nvcc's, by what ptxas makes of both"
	@$(BIN)/python -m bench.gpu --jobs $(JOBS)

docs: $(READY)
	@echo "> Writing docs/ir.md"
	@$(BIN)/python -m lanewise.ir.reference > docs/ir.md.new && mv docs/ir.md.new docs/ir.md
	@echo "> Writing docs/cuda-headers.md"
	@$(BIN)/python -m lanewise.frontend.cuda.coverage.document > docs/headers.new && mv docs/headers.new docs/cuda-headers.md
	@echo "> Writing docs/nvcc-options.md"
	@$(BIN)/python -m lanewise.frontend.cuda.nvcc_options.document > docs/options.new && mv docs/options.new docs/nvcc-options.md

# Packages are tried from another folder, so that nothing of this one is found.
package: $(READY)
	@echo "> Installing what builds packages"
	@$(install) --editable '.[publish]'
	@echo "> Building into dist/"
	@rm -rf dist && $(BIN)/python -m build >/dev/null
	@$(BIN)/python -m twine check --strict dist/*
	@echo "> Trying the wheel in an environment of its own"
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && wheel="$$(realpath dist/*.whl)" && \
	$(PYTHON) -m venv "$$folder/venv" && "$$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$$wheel" && \
	printf '__global__ void one(int *p) { p[threadIdx.x] = 1; }' > "$$folder/one.cu" && cd "$$folder" && \
	export LANEWISE_CACHE_DIR="$$folder/cache" && venv/bin/lanewise doctor && \
	venv/bin/lanewise run one.cu --block 8 --arg zeros[8] --print p

# Debian's python3 comes without what venv needs to put a pip into .venv: then the system's pip fills it.
install = if $(BIN)/python -m pip --version >/dev/null 2>&1; then pip="$(BIN)/python -m pip"; \
	else pip="$(PYTHON) -m pip --python $(BIN)/python"; fi; $$pip install --quiet --disable-pip-version-check

$(READY): pyproject.toml
	@if [ -z "$(PYTHON)" ]; then echo "Python 3.11 or later is needed; name it with PYTHON=..." >&2; exit 1; fi
	@echo "> Setting up .venv with $$($(PYTHON) --version) (a minute or two, once)"
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv .venv >/dev/null || $(PYTHON) -m venv --clear --without-pip .venv
	@echo "> Installing Lanewise with the tools for tests and checks"
	@$(install) --editable '.[test,check]'
	@touch $@

# Where matplotlib can't be had, there is a table without a chart.
$(PLOT): $(READY)
	@echo "> Installing matplotlib, for the chart"
	@$(install) --editable '.[plot]' && touch $@ || echo "  that failed: the chart is left out"

clean:
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis build dist out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
