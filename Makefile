# Everything runs in .venv, which is made on first use and again whenever the pins change.
# It needs Python 3.11 or newer and nothing else; name one by hand with: make play PYTHON=/path/to/python3

SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

BIN := .venv/bin
CODE := protocol server client_cli tests
PIP_INSTALL := $(BIN)/python -m pip install -qq --no-input --disable-pip-version-check

# The first interpreter that is new enough and can make a virtual environment. Lazy: looked for only when it is needed.
candidates = $(or $(PYTHON),python3.13 python3.12 python3.11 python3 python)
new_enough = import sys; sys.exit(sys.version_info < (3, 11))
usable = import ensurepip, venv; $(new_enough)
# The true at the end: make takes the status 127 of a missing command for a shell that could not start.
first = $(firstword $(shell for p in $(candidates); do "$$p" -c '$($(1))' >/dev/null 2>&1 && echo "$$p"; done; true))
python = $(or $(call first,usable),$(if $(call first,new_enough),$(error $(no_venv)),$(error $(too_old))))
no_venv = $(call first,new_enough) cannot make virtual environments; on Debian and Ubuntu: apt install python3-venv
too_old = cellrace needs Python 3.11 or newer and found none among: $(candidates); try make PYTHON=/path/to/python3

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: play
play: $(BIN)/.project ## start a race on this machine and play it (ARGS="..." for cellrace play)
	@$(BIN)/cellrace play $(ARGS)

.PHONY: demo
demo: $(BIN)/.dev $(BIN)/.project ## watch a whole race that plays itself
	@$(BIN)/python -m tests.end_to_end.demo $(ARGS)

.PHONY: cluster
cluster: $(BIN)/.dev $(BIN)/.project ## watch it over three nodes that are killed and replaced (ARGS=--short for less)
	@$(BIN)/python -m tests.end_to_end.cluster $(ARGS)

.PHONY: chaos
chaos: $(BIN)/.dev $(BIN)/.project ## twenty racers over three nodes while things break, for long (ARGS="..." for pytest)
	@CELLRACE_CHAOS_S=$${CELLRACE_CHAOS_S:-20} $(BIN)/python -m pytest tests/chaos --timeout=600 --durations=0 $(ARGS)

.PHONY: lines
lines: $(BIN)/.dev $(BIN)/.project ## the lines of 500 deals with every number of cells, played through by our rules
	@CELLRACE_SOLVED_DEALS=500 $(BIN)/python -m pytest tests/server/solver/test_search.py $(ARGS)

# Covered to the last branch, and by their own tests: to count branches makes everything that runs twice as slow.
# Folders, not names: coverage does not count a package by name that no test imports.
COVERED := protocol server/freecell server/race
PYTEST := $(BIN)/python -m pytest

# Of three that run at once some wait at any moment, for a clock or for a program they have started: two processors do.
.PHONY: test
test: lint ## every check and every test (ARGS="..." for pytest)
	@$(PYTEST) -n 2 $(COVERED:%=tests/%) $(COVERED:%=--cov=%) --cov-report=term --cov-fail-under=100 $(ARGS)
	@$(PYTEST) -n 3 $(COVERED:%=--ignore=tests/%) $(ARGS)

.PHONY: lint
lint: $(BIN)/.dev $(BIN)/.project ## style, types, and who may import whom
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

.PHONY: format
format: $(BIN)/.dev $(BIN)/.project ## put the code into the project's style
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

.PHONY: bench
bench: $(BIN)/.dev $(BIN)/.project ## measure; one JSON object a line
	@$(BIN)/python -m tests.bench $(ARGS)

.PHONY: requirements
requirements: $(BIN)/.dev $(BIN)/.project ## pin the dependencies anew (ARGS=--upgrade for the newest releases)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11) and \
	  "pins are made with the oldest Python, so that none misses a backport: make clean requirements PYTHON=python3.11")'
	$(BIN)/pip-compile $(PIN) --extra server --build-deps-for editable --output-file requirements/play.txt pyproject.toml
	$(BIN)/pip-compile $(PIN) --extra server --extra solver --build-deps-for editable --constraint requirements/play.txt \
	  --output-file requirements/solver.txt pyproject.toml
	$(BIN)/pip-compile $(PIN) --extra server --extra solver --extra dev --build-deps-for editable \
	  --constraint requirements/solver.txt --output-file requirements/dev.txt pyproject.toml

PIN := --quiet --strip-extras --allow-unsafe --generate-hashes --no-emit-index-url --no-emit-trusted-host \
  --no-emit-find-links --no-emit-options --no-header $(ARGS)

.PHONY: clean
clean: ## remove .venv and everything the tools left
	rm -rf .venv build dist *.egg-info .coverage .coverage.* .hypothesis .import_linter_cache \
	  .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment, in three steps. A stamp is written last, so what was interrupted is done again. New pins empty .venv first,
# lest it keep what an old list brought; so does an interpreter that is gone or newer (the empty rule). The project itself is
# installed apart, for pyproject.toml changes more often than the pins.

$(BIN)/.play: requirements/play.txt requirements/dev.txt $(BIN)/python
	@echo "setting up .venv with $(python) (once, some seconds)"
	@$(python) -m venv --clear .venv
	@$(PIP_INSTALL) --require-hashes -r requirements/play.txt
	@touch $@

$(BIN)/.project: pyproject.toml $(BIN)/.play
	@$(PIP_INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(BIN)/.dev: requirements/dev.txt $(BIN)/.play
	@echo "adding the test tools to .venv (once, under a minute)"
	@$(PIP_INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

$(BIN)/python:
