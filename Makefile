# Every target makes and uses its own environment in .venv; `make demo` and `make test` are enough to start.
PYTHON ?= python3
BIN := .venv/bin
JOBS ?= 2

.PHONY: setup tools demo test lint bench soak soak-long notebooks playthroughs clean
.DEFAULT_GOAL := demo

# what playing and reporting need; `tools` adds what only tests, linters and notebooks need
setup: .venv/.ready
tools: .venv/.tools

.venv/.ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Whimbrel needs Python 3.11 or newer (make PYTHON=python3.12 ...)"; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "setting up .venv (first time: a minute or two)"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/.tools: .venv/.ready
	@echo "adding the tools of the tests to .venv"
	@$(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: setup
	$(BIN)/whimbrel demo

test: tools
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(JOBS) -m "plain and not soak"
	$(BIN)/python -m tests.warm_up
	$(BIN)/python -m pytest -n $(JOBS) -m "not (soak or plain)"

lint: tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# QUICK=1: two minutes instead of about ten; OpenSpiel is compared where .venv has it (pip install -e .[openspiel])
bench: setup
	$(BIN)/python -m tests.limit.bench $(if $(QUICK),--quick) --json bench.json --picture bench.png

# an hour on two cores: what is most likely to break, and a tenth of the random games
soak: tools
	$(BIN)/python -m tests.warm_up
	$(BIN)/python -m pytest -n $(JOBS) -m "soak and not longest"
	$(BIN)/python -m tests.soak.random_games migration 1000000
	$(BIN)/python -m tests.soak.random_games migrato 100000
	$(BIN)/python -m tests.soak.random_games drifting_lands 100000
	$(BIN)/python -m tests.soak.random_games mars 20000
	$(BIN)/python -m tests.soak.long_run 2000000

# hours: referees by the thousand games, every planted fault of the analysis, most of the spoilt files
soak-long: tools
	$(BIN)/python -m tests.warm_up
	$(BIN)/python -m pytest -n $(JOBS) -m "soak and longest"
	$(BIN)/python -m tests.analysis.false_verdicts 500
	$(BIN)/python -m tests.soak.long_run 10000000

notebooks: tools
	$(BIN)/jupyter execute --inplace notebooks/*.ipynb

playthroughs: tools
	$(BIN)/python -m tests.playthroughs

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
