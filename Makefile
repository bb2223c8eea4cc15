# Two commands do everything on a fresh machine: `make demo` and `make test`.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest -n 2
TORCH := $(shell sed -n 's/^ *"\(torch==[^"]*\)",*$$/\1/p' pyproject.toml)

.PHONY: help demo test test-all lint types report bench audits clean

help: ## Say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/installed-train ## Show the whole line at work: profile, draft, build, play, train
	$(BIN)/sandmle demo build/demo

test: $(VENV)/installed-dev $(VENV)/installed-train ## Run the test suite
	$(PYTEST)

test-all: $(VENV)/installed-dev $(VENV)/installed-train ## Run the suite with the slow tests
	$(PYTEST) --slow

lint: $(VENV)/installed-dev ## Check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed-dev ## Check types
	$(BIN)/mypy --strict

report: $(VENV)/installed ## Build the shipped corpus and write its page, build/report.html
	$(BIN)/sandmle build
	$(BIN)/sandmle report

bench: $(VENV)/installed-bench $(VENV)/installed-train ## Measure steps, builds, turns, training; STEP="--rounds 31"
	$(BIN)/sandmle bench step $(STEP)
	$(BIN)/sandmle bench build $(BUILD)
	$(BIN)/sandmle bench turns $(TURNS)
	$(BIN)/sandmle bench training $(TRAINING)

audits: $(VENV)/installed ## Plant faults in good tasks, see what the audits catch: docs/quality.md
	$(BIN)/sandmle bench audits --deep --markdown docs/quality.md

clean: ## Remove what was built; keep the environment
	rm -rf build dist runs .snakemake .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	@echo "Installing into $(VENV), about a minute ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing into $(VENV), about a minute ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable ".[dev]"
	@touch $@ $(VENV)/installed

# PyTorch first and by itself: so the build for a machine without a GPU is taken where there is one.
$(VENV)/installed-train: $(VENV)/installed
	@echo "Installing PyTorch and TRL into $(VENV), another minute ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check "$(TORCH)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable ".[train]"
	@touch $@

$(VENV)/installed-bench: $(VENV)/installed
	@echo "Installing AIDE's interpreter, to compare with ..."
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --editable ".[bench]"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps aideml==0.2.2
	@touch $@
