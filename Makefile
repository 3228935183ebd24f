# Every target stands alone: with python3 and make on a fresh machine it sets up what it needs in .venv, then does its job.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
FLOORS := .venv-floors
# what the floors must hold up: every question everywhere, and what one record must not do
ON_FLOORS := tests/floors tests/test_floors.py tests/test_grouped_engines.py tests/bridges tests/ledger/books \
	tests/cli/test_questions.py tests/cli/test_leaks.py tests/kernel/sampling/test_certified.py tests/explorer/test_server.py \
	$(addprefix tests/tables/,groups/test_key_indices.py files/test_arrow.py files/test_scan.py engines/test_names.py engines/test_postgres.py \
	test_engine_debits.py test_far_times.py test_frames.py test_leaks.py test_spark_text.py test_spark_times.py)
PIP := $(PY) -m pip --disable-pip-version-check --quiet
# one more than there are cores: some tests wait for disks, servers and other processes
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(PY) -m pytest -n $(WORKERS) --dist loadgroup --durations 10

# keep what Python compiles: every worker and every process that a test starts would compile it again
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help demo test test-all check bench docs audit soak fuzz mutants floors build clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-8s %s\n", $$1, $$2 }'

demo: $(VENV)/cli ## one median by four mechanisms, the paper's among them; then a tour in Python and in a shell
	@$(VENV)/bin/noisewise demo

test: $(VENV)/test programs ## what to run before trusting a change: laws, draws, ledgers, attacks, vectors, one engine
	$(PYTEST) -m "not rest and not audit"

test-all: $(VENV)/test programs floors ## the rest: every mutant, every question on every engine, servers, oldest versions
	$(PYTEST) -m rest

.PHONY: programs
programs: $(VENV)/test
	@$(PY) -m tests.programs

check: $(VENV)/check $(VENV)/test docs ## lint, format, types, the import law, the rules of the project, and that the docs build
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy --strict src
	$(VENV)/bin/tach check
	$(PY) -m pytest -q tests/test_rules.py tests/test_dependencies.py tests/test_seeding.py tests/mutants/test_standing.py tests/questions/test_registered.py

bench: $(VENV)/bench ## all benchmark tables, and what got slower; PEERS=1 races other libraries, DATA=FOLDER of public data
	$(if $(PEERS),@$(PIP) install -r benchmarks/peers.txt)
	$(PY) benchmarks/run.py $(if $(DATA),--data $(DATA))
	$(PY) benchmarks/slower.py

docs: $(VENV)/docs ## the documentation, into site/
	@PYTHONPATH=. $(VENV)/bin/zensical build --strict --clean -f mkdocs.yml > $(VENV)/docs.log 2>&1 || { cat $(VENV)/docs.log; exit 1; }
	@echo "open site/index.html, or with search: python3 -m http.server -d site"

audit: $(VENV)/test ## audit all questions by every mechanism, exactly, and the draws of each as a black box
	$(VENV)/bin/noisewise audit --all --n 3 --tries 500
	$(PYTEST) -m audit tests/audit

soak: $(VENV)/test ## clients on one ledger, killed and cut off, for MINUTES (3) on SQLite and on PostgreSQL
	$(PY) scripts/soak.py --on sqlite --minutes $(or $(MINUTES),3)
	$(PY) scripts/soak.py --on postgres --minutes $(or $(MINUTES),3)

MINUTES ?= 10
EXAMPLES ?= 25
fuzz: $(VENV)/test ## fuzz all that reads text for MINUTES, look at EXAMPLES times as many questions and crashes, and at new examples
	$(PY) -m tests.fuzz $(MINUTES)
	NOISEWISE_EXAMPLES=$(EXAMPLES) $(PY) -m pytest -n $(WORKERS) tests/attacks/test_outcomes.py tests/attacks/test_table_outcomes.py tests/attacks/test_crashes.py \
		tests/attacks/test_score_ends.py
	NOISEWISE_EXAMPLES=$(EXAMPLES) $(PY) -m pytest -n $(WORKERS) -m "hypothesis and not rest" --ignore tests/attacks

mutants: $(VENV)/test programs ## break the library on purpose, in every way that is listed; the tests must notice
	$(PYTEST) -m mutant

floors: $(FLOORS)/ready ## every question on every engine, and the leaks, on the oldest versions of all libraries
	@$(FLOORS)/bin/python -m tests.programs
	$(FLOORS)/bin/python -m pytest -W default -n $(WORKERS) --dist loadgroup $(ON_FLOORS)

build: $(VENV)/build ## the wheel and the source archive, into dist/, tried alone in an empty environment
	@rm -rf dist $(VENV)/alone
	$(PY) -m build --outdir dist
	$(PY) -m twine check --strict dist/*
	@$(PYTHON) -m venv $(VENV)/alone
	@$(VENV)/alone/bin/python -m pip --disable-pip-version-check --quiet install dist/*.whl
	$(VENV)/alone/bin/python -m noisewise.demo

clean: ## remove everything that can be made again
	rm -rf $(VENV) $(FLOORS) site dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .tach .cache
	find . -type d \( -name __pycache__ -o -name "*_cache" \) -prune -exec rm -rf {} +

# One stamp per set of extras, so that `make demo` installs little.

$(VENV)/cli $(VENV)/test $(VENV)/check $(VENV)/bench $(VENV)/docs $(VENV)/build: $(VENV)/%: pyproject.toml | $(PY)
	@echo "installing noisewise[$*]"
	@$(PIP) install --editable '.[$*]'
	@touch $@

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit("noisewise needs Python 3.11 or newer: make PYTHON=python3.12 ..." if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)

# The lowest versions that pyproject.toml allows, in a place of their own; uv finds them, and is installed for that alone.

$(FLOORS)/ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("the oldest versions are those for Python 3.11: make floors PYTHON=python3.11" if sys.version_info[:2] != (3, 11) else 0)'
	@$(PYTHON) -m venv --clear $(FLOORS)
	@echo "installing the oldest versions of what noisewise[test] needs"
	@$(FLOORS)/bin/python -m pip --disable-pip-version-check --quiet install uv
	@$(FLOORS)/bin/uv pip install --quiet --python $(FLOORS)/bin/python --resolution lowest-direct --editable '.[test]'
	@touch $@
