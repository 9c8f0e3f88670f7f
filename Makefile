# Everything a newcomer needs: `make demo` and `make test` set themselves up; nothing is asked.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Many tests wait for a server or a socket, so a few processes share even two cores well; a file stays in one of them.
SIDE_BY_SIDE := --numprocesses=3 --dist=loadfile

.DEFAULT_GOAL := help
.PHONY: help install demo test static check format bench fuzz soak lock sbom picture clean

help:
	@echo "make install sets Docket up in .venv, and nothing else"
	@echo "make demo    the whole main job on this machine, with nothing installed before"
	@echo "make test    every test that can run here"
	@echo "make static  format, lint, types, import direction"
	@echo "make check   what each commit passes: format, lint, types, import direction, quick tests"
	@echo "make soak    a compressed day of work under faults, and kills at any instant"
	@echo "make bench   speed, as ratios measured side by side"
	@echo "make picture README's picture of the practice page, taken anew in Chromium"

$(STAMP): pyproject.toml requirements.lock
	@command -v git >/dev/null || { echo "git is missing: apt-get install git" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: apt-get install python3" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv is missing: apt-get install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing the locked packages into $(VENV) (once)"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(STAMP)

install: $(STAMP)
	@echo "ready: $(BIN)/docket"

demo: $(STAMP)
	@$(BIN)/docket demo --exit

test: $(STAMP)
	@$(BIN)/python -m tests.servers
	@$(BIN)/python -m pytest $(SIDE_BY_SIDE)

static: $(STAMP)
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

check: static
	@$(BIN)/python -m pytest -q -m "not contract and not end_to_end"

format: $(STAMP)
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

fuzz: $(STAMP)
	@$(BIN)/python -m tests.fuzz_mail --rounds 20000

soak: $(STAMP)
	@$(BIN)/python -m tests.kill_filing --rounds 20
	@$(BIN)/python -m tests.kill_acts --rounds 500
	@$(BIN)/python -m tests.race_votes --rounds 100
	@$(BIN)/python -m tests.soak_walk --seeds 1 2 3
	@$(BIN)/python -m tests.failover
	@$(BIN)/python -m tests.soak

bench: $(STAMP)
	@$(BIN)/python -m tests.bench

lock:
	uv pip compile pyproject.toml --group dev --generate-hashes --no-emit-index-url --python-version 3.11 -o requirements.lock

sbom: $(STAMP)
	@$(BIN)/python -m tests.sbom

picture: $(STAMP)
	@$(BIN)/python -m tests.practice_picture

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
