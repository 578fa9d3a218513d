# The front door. `make help` says what there is; CMakePresets.json holds the builds behind it.

JOBS ?= $(shell nproc)
export JOBS

BUILD_DIR := build/release
PROGRAM   := $(BUILD_DIR)/bin/openenv
BENCH_RESULTS ?= bench/RESULTS.md

SOAK_MINUTES ?= 30

# Runs the tests of one preset; the sums come last, also when something failed.
run-and-count = @scripts/run-tests.sh $(1); status=$$?; \
  scripts/count-tests.py build/results/$(1) && exit $$status

.DEFAULT_GOAL := build
.PHONY: build demo test bench soak asan tsan clang format format-check include-check \
        tidy dependencies clean help

build: $(BUILD_DIR)/build.ninja ## Build the program openenv (release): build/release/bin/openenv
	cmake --build --preset release --parallel $(JOBS) --target openenv
	@echo "built $(PROGRAM)"

$(BUILD_DIR)/build.ninja:
	cmake --preset release

demo: ## Install what the build needs, build, and show a server and its clients at work
	scripts/install-dependencies.sh build
	$(MAKE) --no-print-directory build
	scripts/demo.sh $(BUILD_DIR)

test: ## Install what is needed, then run every test, also against the Python edition
	scripts/install-dependencies.sh all
	$(call run-and-count,release)

bench: ## Measure speed and memory beside Beast, the Python edition and Gymnasium, then JSON
	scripts/install-dependencies.sh all
	$(MAKE) --no-print-directory $(BUILD_DIR)/build.ninja
	cmake --build --preset release --parallel $(JOBS) \
	  --target openenv openenv_bench_peers openenv_json_bench
	tests/interop/setup_venv.sh $(BUILD_DIR)
	bench/setup_venv.sh $(BUILD_DIR)
	bench/run.py $(BUILD_DIR) --json $(BUILD_DIR)/bench.json --results $(BENCH_RESULTS) $(BENCH_OPTIONS)
	$(BUILD_DIR)/bin/openenv_json_bench

soak: ## Run the long tests, the scripted field cases, and SOAK_MINUTES=30 of churn (not part of `make test`)
	scripts/install-dependencies.sh all
	$(MAKE) --no-print-directory $(BUILD_DIR)/build.ninja
	cmake --build --preset release --parallel $(JOBS)
	@status=0; \
	ctest --test-dir $(BUILD_DIR) --label-regex '^soak$$' --output-on-failure --no-tests=error \
	  --timeout 3600 || status=1; \
	tests/soak/field.py $(PROGRAM) --json $(BUILD_DIR)/field.json || status=1; \
	tests/soak/thread_counts.py $(PROGRAM) --json $(BUILD_DIR)/thread_counts.json || status=1; \
	tests/soak/churn.py $(PROGRAM) --minutes $(SOAK_MINUTES) --json $(BUILD_DIR)/churn.json || status=1; \
	exit $$status

asan tsan clang: ## Build and test with address+undefined, with thread sanitizer, with clang
	$(call run-and-count,$@)

format: ## Format every C++ file
	scripts/format.sh

format-check: ## Name the C++ files that are not formatted
	scripts/format.sh --check

include-check: ## Check that every include respects the layers
	scripts/check-includes.py

tidy: ## Run clang-tidy on changed files, or on FILES="a.cpp b.cpp"
	scripts/tidy.sh $(FILES)

dependencies: ## Install everything that building, testing and checking need (Debian 12)
	scripts/install-dependencies.sh all

clean: ## Remove the build folder
	rm -rf build

help: ## Show this list
	@echo "OpenEnv for C++. A first look: make demo. The whole proof: make test."
	@echo
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "BENCH_OPTIONS=... are passed to bench/run.py (see bench/run.py --help)."
	@echo "JOBS=N limits what runs at once (default: all $(JOBS) cores)."
	@echo "OPENENV_SKIP_INSTALL=1 leaves the system's packages alone."
