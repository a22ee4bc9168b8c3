# All set-up from a bare Python (3.11 or later) and make:
#   make demo       the main job: train a tiny model from scratch, evaluate it, print the table
#   make evaluate   the checkpoint of make demo, or else the expert with mistakes, behind a server; opens the report
#   make test       linter, formatter, type checker and every test
#   make fuzz       tries to break the package with new examples (FACTOR=4 times as many); see docs/reference/reliability.md
# All create .venv on the first run and reuse it; `make clean` removes it with the tools' caches (runs/ is kept).

VENV ?= .venv
# The first Python that is new enough; say PYTHON=/path/to/python to choose another.
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
# Processes that run the tests; two fit a small machine, more than four gain little.
WORKERS ?= auto
# Examples that `make fuzz` tries, as a multiple of those of `make test`, and the seed that they are drawn from.
FACTOR ?= 4
SEED ?= $(shell date +%s)

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TORCH := torch==2.13.0
BROWSER := chromium and chromedriver (Debian: apt-get install chromium chromium-driver)
CLIENTS := litmus rclone cadaver
# Tests of programs that are missing here are left out, and the last lines say so.
NO_BROWSER := $(if $(and $(shell command -v chromium),$(shell command -v chromedriver)),,yes)
NO_CLIENTS := $(strip $(foreach client,$(CLIENTS),$(if $(shell command -v $(client)),,$(client))))
MARKS := $(if $(NO_BROWSER),not browser)$(if $(and $(NO_BROWSER),$(NO_CLIENTS)), and )$(if $(NO_CLIENTS),not webdav_clients)
PACKAGING := setup.cfg setup.py pyproject.toml

# Small matrices run faster on one thread than on all of them, and several processes share the machine.
export OMP_NUM_THREADS ?= 1
export TOKENIZERS_PARALLELISM ?= false

.PHONY: help demo evaluate test fuzz lint types clean
.DELETE_ON_ERROR:

help:
	@sed -n '2,6s/^# \{0,1\}//p' Makefile

demo: $(VENV)/.ready-train
	$(BIN)/teller-gym train --config-name demo

evaluate: $(VENV)/.ready-serve
	$(BIN)/python -m examples.evaluate --tasks 10

# The same order of sets each time; tests that need another one start processes with theirs.
test: export PYTHONHASHSEED := 0
test: $(VENV)/.ready-dev lint types
	$(BIN)/python -m pytest -m "$(MARKS)" -n $(WORKERS) --maxprocesses 4 --dist loadfile --no-loadscope-reorder --durations 15
	@test -z "$(NO_BROWSER)" || echo "NOT RUN: tests in a browser; they need $(BROWSER) on the PATH"
	@test -z "$(NO_CLIENTS)" || echo "NOT RUN: WebDAV's clients against the served office; they need $(NO_CLIENTS) (Debian: apt-get install $(NO_CLIENTS))"

fuzz: export TELLER_GYM_FUZZ := $(FACTOR)
fuzz: DRAWN := -p no:cacheprovider --timeout=0 -n 2 --dist loadfile --hypothesis-seed=$(SEED)
fuzz: $(VENV)/.ready-dev
	$(BIN)/python -m pytest $(DRAWN) -m "" tests/fuzz
	$(BIN)/python -m pytest $(DRAWN) -m "hypothesis and not training and not packaging and not browser" tests --ignore=tests/fuzz

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.ready-dev
	$(BIN)/mypy

# The stamps are written last: a set-up that was cut off is taken up again by the next call.
$(VENV)/.ready-python:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or later found; install one, or say: make PYTHON=/path/to/python ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# torch comes first and alone, so that the rest cannot choose another build of it.
$(VENV)/.ready-torch: $(VENV)/.ready-python
	@echo "installing $(TORCH) (a large download the first time)"
	$(PIP) "$(TORCH)"
	@touch $@

$(VENV)/.ready-train: $(VENV)/.ready-torch $(PACKAGING)
	@echo "installing teller_gym with the extras train and eval"
	$(PIP) --editable '.[train,eval]'
	@touch $@

$(VENV)/.ready-serve: $(VENV)/.ready-train
	@echo "installing the extra serve"
	$(PIP) --editable '.[train,eval,serve]'
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready-serve
	@echo "installing the extras office and dev"
	$(PIP) --editable '.[train,eval,serve,office,dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist teller_gym.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
